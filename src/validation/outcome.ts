/** What became of an item of an import, in words: for the pages and for the tables to download (contract section 17). */
const WORDS = {
  created: { done: 'Incluído', would: 'Seria incluído' },
  newVersion: { done: 'Nova versão', would: 'Seria nova versão' },
  deactivated: { done: 'Desativado', would: 'Seria desativado' },
  unchanged: { done: 'Sem mudança', would: 'Sem mudança' },
  failed: { done: 'Erro', would: 'Erro' },
} as const;

/** A dry run tells what would be. */
export const outcomeWord = (outcome: keyof typeof WORDS, isDryRun: boolean): string =>
  WORDS[outcome][isDryRun ? 'would' : 'done'];
