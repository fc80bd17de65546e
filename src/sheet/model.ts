/** Defines the values of spreadsheets on the wire (contract section 24). */

/**
 * The reason for the target of a column: its exact heading, a person, a guess. The last two explain a missing
 * target.
 */
export const GUESS_REASONS = ['nome', 'escolha', 'palpite', 'repetida', 'desconhecida'] as const;
export type GuessReason = (typeof GUESS_REASONS)[number];
