-- A problem stores the name with which its message begins: its own member, or the member that holds it.
UPDATE import_result SET problems = (
  SELECT json_group_array(json(CASE
    WHEN substr(message, 1, length(last) + 2) = last || ': ' THEN json_set(problem, '$.label', last)
    ELSE problem END))
  FROM (
    SELECT problem, message, replace(path, rtrim(path, replace(path, '/', '')), '') AS last
    FROM (
      SELECT value AS problem, json_extract(value, '$.message') AS message,
        rtrim(json_extract(value, '$.path'), '/0123456789') AS path
      FROM json_each(import_result.problems)
    )
  )
) WHERE problems IS NOT NULL;
