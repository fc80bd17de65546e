/** Words of spreadsheets on the wire (contract section 24). */

/** Why a column goes where it goes: the catalogue's own heading, a person, a guess; why it goes nowhere. */
export const GUESS_REASONS = ['nome', 'escolha', 'palpite', 'repetida', 'desconhecida'] as const;
export type GuessReason = (typeof GUESS_REASONS)[number];
