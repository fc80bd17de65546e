/** Values that an older version of catp did not record: reported as such, never as nothing (contract section 16). */

/** Stands for such a value on pages and in tables. */
export const NOT_RECORDED = 'não registrado';

/** A record with the members that were not recorded. Absent: all were. */
export interface Recorded {
  readonly notRecorded?: readonly string[] | undefined;
}

export const isNotRecorded = ({ notRecorded = [] }: Recorded, member: string): boolean =>
  notRecorded.includes(member);

/** Returns the text of an empty member: `none`, unless it was not recorded. */
export const emptyText = (record: Recorded, member: string, none: string): string =>
  isNotRecorded(record, member) ? NOT_RECORDED : none;

/** Returns the list to add to a record: absent when all its members were recorded. */
export const withNotRecorded = <M extends string>(
  members: Readonly<Partial<Record<M, boolean>>>,
): { readonly notRecorded?: M[] } => {
  const notRecorded = (Object.keys(members) as M[]).filter((member) => members[member]);
  return notRecorded.length === 0 ? {} : { notRecorded };
};
