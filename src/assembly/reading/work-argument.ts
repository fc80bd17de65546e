/** The first argument of a process of this executable that works for another one; no command of people. */
export const WORK_ARGUMENT = '--trabalho';
