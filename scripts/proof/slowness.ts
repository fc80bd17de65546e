/**
 * The slowdown factor against a native run. It multiplies the timeouts and the work before a kill
 * (`scripts/platforms`).
 */
export const SLOWNESS = Number(process.env['SLOWNESS_TO_TEST'] ?? '1');
