-- The name of a company is the sender name of its emails, next to the address of this server. So it must not look like the
-- address or the name of someone else.

create or replace function accounts.check_sender_name(name text) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    -- The columns refuse a longer name anyway, and checking a very long one would take seconds.
    if length(name) > 200 then
        return;
    end if;
    if accounts.has_address(name) then
        perform accounts.refuse('sender_name_has_address');
    elsif accounts.is_brand(name) then
        perform accounts.refuse('sender_name_is_brand', jsonb_build_object('name', name));
    end if;
end
$$;
grant execute on function accounts.check_sender_name to public;

-- True if the name contains an email or web address, or a domain in angle brackets. A full-width @ counts as an ordinary one.
create or replace function accounts.has_address(name text) returns boolean
    language sql immutable parallel safe
    return normalize(name, NFKC) ~ '@|://|<[^>]*\.[^>]*>';
grant execute on function accounts.has_address to public;

-- True if the name is that of a well-known brand, alone or with common words that a fraud adds to it, such as "PayPal
-- Support". A name such as "Amazon River Tours" is allowed, because it has other words beside the brand.
create or replace function accounts.is_brand(name text) returns boolean
    language sql immutable parallel safe set search_path = ''
    return (
        with words as (
            select accounts.look_alike_key(word) as key, place
              from regexp_split_to_table(name, '[^[:alnum:]$|!]+') with ordinality as split (word, place)),
        common as (
            select accounts.look_alike_key(word) as key
              from unnest(array[
                'account', 'accounts', 'admin', 'alert', 'alerts', 'billing', 'care', 'center', 'claims', 'com', 'confirmation',
                'corp', 'customer', 'customers', 'delivery', 'department', 'email', 'fraud', 'gift', 'help', 'helpdesk', 'inc',
                'info', 'invoice', 'invoices', 'llc', 'login', 'ltd', 'mail', 'net', 'no', 'noreply', 'notification',
                'notifications', 'official', 'online', 'order', 'orders', 'org', 'package', 'packages', 'parcel', 'parcels',
                'payment', 'payments', 'protection', 'refund', 'refunds', 'reply', 'rewards', 'safety', 'secure', 'security',
                'service', 'services', 'shipping', 'signin', 'support', 'team', 'the', 'tracking', 'update', 'updates',
                'verification', 'verified', 'verify', 'wallet', 'wallets', 'www']) as word),
        brands as (
            select accounts.look_alike_key(word) as key
              from unnest(array[
                'adobe', 'amazon', 'amazonpay', 'amazonprime', 'americanexpress', 'apple', 'appleid', 'applepay',
                'bankofamerica', 'binance', 'booking', 'cairn', 'cashapp', 'chasebank', 'citibank', 'coinbase', 'dhl',
                'dhlexpress', 'docusign', 'dropbox', 'ebay', 'expedia', 'facebook', 'fedex', 'gmail', 'google', 'googlepay',
                'hsbc', 'icloud', 'instagram', 'intuit', 'irs', 'klarna', 'linkedin', 'mastercard', 'metamask', 'microsoft',
                'microsoft365', 'netflix', 'office365', 'outlook', 'paypal', 'quickbooks', 'revolut', 'spotify', 'stripe',
                'tiktok', 'tripadvisor', 'ups', 'usps', 'venmo', 'visa', 'wellsfargo', 'westernunion', 'whatsapp', 'yahoo',
                'zelle']) as word)
        select coalesce(string_agg(w.key, '' order by w.place), '') in (select b.key from brands b)
          from words w
         where w.key not in (select c.key from common c));
grant execute on function accounts.is_brand to public;

-- Reduces a word to what a hurried reader sees: accents are removed, characters of other alphabets, small capitals and digits
-- become the Latin characters that they look like, and Latin characters that look alike become the same one. "PаyPaI" and
-- "paypal" give the same result.
create or replace function accounts.look_alike_key(word text) returns text
    language sql immutable parallel safe set search_path = ''
    return replace(replace(
        translate(
            translate(
                regexp_replace(lower(normalize(word, NFKD)), '[\u0300-\u036f\u200b-\u200f\u2060\u00ad]', '', 'g'),
                'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡıȷɩǀøđłħŧѵԝԛոօսհցգ',
                'abcdefghijklmnoprstuvwyzagijilodlhtvwqnouhgq'),
            'аеорсухіјѕԁһӏкмтвнгαορντικυεi1|!0345$7',
            'aeopcyxljsdhlkmtbhraopvtlkuelllloeasst'),
        'rn', 'm'), 'vv', 'w');
grant execute on function accounts.look_alike_key to public;

-- Returns the name for the sender of an email. A name that was saved before these rules is replaced if it breaks them.
create or replace function accounts.safe_sender_name(name text) returns text
    language sql immutable parallel safe security definer set search_path = ''
    return case when accounts.has_address(name) or accounts.is_brand(name) then 'Waivers'
                else nullif(cairn.clean_line(name), '') end;
grant execute on function accounts.safe_sender_name to service_role;
