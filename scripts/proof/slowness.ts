/** How many times longer everything takes than natively: as often the limits of time, and the work before a kill (`scripts/platforms`). */
export const SLOWNESS = Number(process.env['SLOWNESS_TO_TEST'] ?? '1');
