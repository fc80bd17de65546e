/** The first argument of a worker process of this executable. It is no public command. */
export const WORK_ARGUMENT = '--trabalho';
