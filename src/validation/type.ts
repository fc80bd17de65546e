/**
 * Builds schemas: `t.Object({ … })`. The builders are named one by one, so that the executable contains no others:
 * a start would evaluate 200 modules of them.
 */
export * as t from './builders.ts';
