/**
 * The functions that a translated SELECT calls on PostgreSQL in addition to its own, as statements that make them.
 *
 * A number whose form is known only at run time is `numeric`: an integer has no decimal places, a real at least one. If
 * the result of an operation exceeds 64-bit integers or the range of reals, they return what SQLite returns: a real,
 * infinity, or null for NaN.
 */
export const postgresFunctions: readonly string[] = [
  // JSON has no infinity: a number beyond all reals represents it.
  `create function cypher_number(x double precision) returns numeric language sql immutable strict parallel safe as $$
    select case x when 'Infinity' then 9e999 when '-Infinity' then -9e999 else x::text::numeric end + 0.0
  $$`,
  `create function cypher_real(x numeric) returns double precision language sql immutable strict parallel safe as $$
    select case when abs(x) < 1.797693134862315807e308 then x::double precision
      else sign(x)::double precision * 'Infinity' end
  $$`,
  // The remainder is exact, by subtraction of the divisor times powers of two.
  `create function cypher_remainder(x double precision, y double precision) returns double precision
    language plpgsql immutable strict parallel safe as $$
    declare
      rest double precision := abs(x);
      divisor double precision := abs(y);
      part double precision := divisor;
    begin
      if y = 0 or rest = 'Infinity' then return null; end if;
      if divisor > rest then return x; end if;
      while part <= rest - part loop part := part * 2; end loop;
      loop
        if rest >= part then rest := rest - part; end if;
        exit when part = divisor;
        part := part / 2;
      end loop;
      return sign(x) * rest;
    end
  $$`,
  `create function cypher_calculate(operator text, x double precision, y double precision) returns double precision
    language plpgsql immutable strict parallel safe as $$
    declare
      grows boolean;
    begin
      if operator = '%' then return cypher_remainder(x, y); end if;
      if operator = '/' and y = 0 then return null; end if;
      return nullif(case operator when '+' then x + y when '-' then x - y when '*' then x * y else x / y end, 'NaN');
    exception when numeric_value_out_of_range then
      if operator in ('+', '-') then return sign(x) * 'Infinity'::double precision; end if;
      grows := case operator when '*' then ln(abs(x)) + ln(abs(y)) else ln(abs(x)) - ln(abs(y)) end > 0;
      return case when grows then sign(x) * sign(y) * 'Infinity'::double precision else 0 end;
    end
  $$`,
  `create function cypher_calculate(operator text, x numeric, y numeric) returns numeric
    language plpgsql immutable strict parallel safe as $$
    declare
      result numeric;
    begin
      if scale(x) = 0 and scale(y) = 0 then
        if operator in ('/', '%') and y = 0 then return null; end if;
        result := case operator when '+' then x + y when '-' then x - y when '*' then x * y
          when '/' then div(x, y) else mod(x, y) end;
        if result between -9223372036854775808 and 9223372036854775807 then return result; end if;
      end if;
      return cypher_number(cypher_calculate(operator, cypher_real(x), cypher_real(y)));
    end
  $$`,
  `create function cypher_abs(x numeric) returns numeric language sql immutable strict parallel safe as $$
    select case when scale(x) = 0 then abs(x::bigint)::numeric else abs(x) end
  $$`,
  `create function cypher_total(x numeric) returns numeric language sql immutable strict parallel safe as $$
    select case when scale(x) = 0 then x::bigint::numeric else cypher_number(cypher_real(x)) end
  $$`,
  // Uses more digits than are needed to distinguish a real from its neighbours: 1.45 is actually a little less.
  `create function cypher_round(x double precision, places numeric) returns double precision
    language sql immutable strict parallel safe as $$
    select case when abs(x) < 4503599627370496 then
      round(to_char(x, '9.${'9'.repeat(30)}EEEE')::numeric, greatest(0, least(30, trunc(places)))::integer)::double precision
      else x end
  $$`,
  // With 15 digits if they suffice, otherwise 17, and with an exponent if that is shorter.
  `create function cypher_text(x numeric) returns text language plpgsql immutable strict parallel safe as $$
    declare
      value double precision;
      written text;
      digits numeric;
      exponent integer;
    begin
      if scale(x) = 0 then return x::text; end if;
      value := cypher_real(x);
      if abs(value) = 'Infinity' then return case when value > 0 then 'Inf' else '-Inf' end; end if;
      written := ltrim(to_char(value, '9.99999999999999EEEE'));
      if written::double precision <> value then written := ltrim(to_char(value, '9.9999999999999999EEEE')); end if;
      exponent := split_part(written, 'e', 2)::integer;
      if exponent between -4 and 16 then
        digits := trim_scale(written::numeric);
        return case when scale(digits) = 0 then digits || '.0' else digits::text end;
      end if;
      digits := trim_scale(split_part(written, 'e', 1)::numeric);
      return case when scale(digits) = 0 then digits || '.0' else digits::text end || 'e' || split_part(written, 'e', 2);
    end
  $$`,
  // ICU's root locale has the mappings of JavaScript; a server without it has those of its own locale.
  `do $do$
    declare
      mapping text := case when exists (select from pg_collation where collname = 'und-x-icu')
        then 'collate "und-x-icu"' else '' end;
    begin
      execute format('create function cypher_lower(x text) returns text language sql immutable strict parallel safe
        as $$ select lower(x %s) $$', mapping);
      execute format('create function cypher_upper(x text) returns text language sql immutable strict parallel safe
        as $$ select upper(x %s) $$', mapping);
    end
  $do$`,
  // Null if an item is null, or is compared with one of another kind, and no other items differ.
  `create function cypher_lists_equal(a jsonb, b jsonb) returns boolean
    language plpgsql immutable strict parallel safe as $$
    declare
      x jsonb;
      y jsonb;
      alike boolean;
      result boolean := true;
    begin
      if jsonb_array_length(a) <> jsonb_array_length(b) then return false; end if;
      for place in 0 .. jsonb_array_length(a) - 1 loop
        x := a -> place;
        y := b -> place;
        if x = 'null' or jsonb_typeof(x) <> jsonb_typeof(y) then alike := null;
        elsif jsonb_typeof(x) = 'array' then alike := cypher_lists_equal(x, y);
        else alike := x = y;
        end if;
        if not alike then return false; end if;
        result := result and alike;
      end loop;
      return result;
    end
  $$`,
  // A collected list is held in memory as a whole.
  `create function cypher_collected(held bigint, size integer) returns bigint
    language plpgsql immutable strict parallel safe as $$
    begin
      if held + size > 67108864 then
        raise exception 'A list is too long.' using errcode = 'program_limit_exceeded';
      end if;
      return held + size;
    end
  $$`,
  `create aggregate cypher_collected(integer) (sfunc = cypher_collected, stype = bigint, initcond = 0)`,
]
