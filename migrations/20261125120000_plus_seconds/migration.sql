-- Adding an interval to a time is not immutable, because days depend on the time zone. Seconds do not. A distributed database computes new
-- values of a row only with immutable functions.
CREATE FUNCTION plus_seconds(at timestamptz, seconds double precision) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN at + make_interval(secs => seconds);
END $$;
