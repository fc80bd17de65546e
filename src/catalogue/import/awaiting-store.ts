/** The conditions of dry runs that are proposed and wait for a decision, for the statements about imports. */

/** Selects the proposals that wait. */
export const AWAITING = `SELECT job_id FROM proposal WHERE state = 'awaiting'`;

/** Selects the state of a job. A proposed dry run has its state in the table of proposals. */
export const jobState = (job: string): string =>
  `CASE WHEN EXISTS (${AWAITING} AND job_id = ${job}.id) THEN 'awaiting' ELSE ${job}.state END AS state`;
