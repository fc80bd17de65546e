/** Words for the result of an imported item, on pages and in downloaded tables (contract section 17). */
const WORDS = {
  created: { done: 'Incluído', would: 'Seria incluído' },
  newVersion: { done: 'Nova versão', would: 'Seria nova versão' },
  deactivated: { done: 'Desativado', would: 'Seria desativado' },
  unchanged: { done: 'Sem mudança', would: 'Sem mudança' },
  failed: { done: 'Erro', would: 'Erro' },
} as const;

/** Returns the word of a result. A dry run uses the conditional. */
export const outcomeWord = (outcome: keyof typeof WORDS, isDryRun: boolean): string =>
  WORDS[outcome][isDryRun ? 'would' : 'done'];
