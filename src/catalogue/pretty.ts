/** A record as it stands in a pretty-printed (two spaces) JSON array. */
export const prettyRecord = (record: object): string => JSON.stringify([record], null, 2).slice(2, -2);
