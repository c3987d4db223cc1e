-- Removes the characters that no person types and that spoil a document or an email: control characters, the ones that
-- reverse the direction of the text around them, and code points that are not characters. Tabs and line breaks stay,
-- and rarer kinds of line breaks become ordinary ones. Joiners and direction marks stay, because names in Persian, Hindi or
-- Hebrew need them. cairn/kit/clean_text.py does the same; a test compares both.
create or replace function cairn.clean_text(dirty text) returns text
    language sql immutable parallel safe
    return regexp_replace(
        -- translate() would take ten times as long.
        regexp_replace(dirty, '[\u000B\u000C\u0085\u2028\u2029]', E'\n', 'g'),
        '[\u0001-\u0008\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFDD0-\uFDEF\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF'
        || '\U0001FFFE\U0001FFFF\U0002FFFE\U0002FFFF\U0003FFFE\U0003FFFF\U0004FFFE\U0004FFFF\U0005FFFE\U0005FFFF'
        || '\U0006FFFE\U0006FFFF\U0007FFFE\U0007FFFF\U0008FFFE\U0008FFFF\U0009FFFE\U0009FFFF\U000AFFFE\U000AFFFF'
        || '\U000BFFFE\U000BFFFF\U000CFFFE\U000CFFFF\U000DFFFE\U000DFFFF\U000EFFFE\U000EFFFF\U000FFFFE\U000FFFFF'
        || '\U0010FFFE\U0010FFFF]', '', 'g');
grant execute on function cairn.clean_text to public;

-- Cleans a name or another text of one line: line breaks and tabs become a space, and spaces and invisible characters at
-- both ends are removed. A name that consists only of invisible characters becomes empty. A text of more than 10,000
-- characters is cut off there, because cleaning megabytes would take seconds. No column accepts a line that long.
create or replace function cairn.clean_line(dirty text) returns text
    language sql immutable parallel safe
    return btrim(
        regexp_replace(cairn.clean_text(left(dirty, 10000)), '[ \t\r\n]*[\t\r\n][ \t\r\n]*', ' ', 'g'),
        U&' \00A0\00AD\034F\115F\1160\17B4\17B5\180E\200B\200C\200D\200E\200F\2060\2061\2062\2063\2064\2800\3000\3164\FFA0');
grant execute on function cairn.clean_line to public;

-- A trigger that cleans columns of a new row: `clean_columns('line', 'subject')` cleans the column `subject` with clean_line,
-- and `clean_columns('text', 'body')` the column `body` with clean_text.
create or replace function cairn.clean_columns() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    dirty jsonb := to_jsonb(new);
    cleaned jsonb := '{}';
begin
    for i in 1 .. tg_nargs - 1 loop
        cleaned := cleaned || jsonb_build_object(tg_argv[i], case tg_argv[0]
            when 'line' then cairn.clean_line(dirty ->> tg_argv[i])
            when 'text' then cairn.clean_text(dirty ->> tg_argv[i])
        end);
    end loop;
    return jsonb_populate_record(new, cleaned);
end
$$;
