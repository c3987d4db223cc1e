-- Raises one of the refusals that this package lists here. Runs with the owner's privileges, because callers have no
-- access to schema `cairn`.
create or replace function messaging.refuse(code text, parameters jsonb default '{}') returns void
    language sql security definer set search_path = ''
    return cairn.raise_refusal(code, parameters, $${
        "address_complained": ["PT409", "The owner of {address} reported one of your emails as spam, so this address gets no more emails from you. Please send the link another way, for example as a text message."]
    }$$);
