/** State of a record at a remote (contract section 18), each with its word for people. */
export const STANDING_WORDS = {
  igual: 'Igual',
  soAqui: 'Só aqui',
  soLa: 'Só lá',
  mudouAqui: 'Mudou aqui',
  mudouLa: 'Mudou lá',
  mudouNosDois: 'Mudou nos dois',
  desativadoAqui: 'Desativado aqui',
  desativadoLa: 'Desativado lá',
  ambiguo: 'Ambíguo',
  naoEnviavel: 'Não enviável',
  incerto: 'Incerto',
  recusado: 'Recusado',
} as const;
export type StandingState = keyof typeof STANDING_WORDS;
export const STANDING_STATES = Object.keys(STANDING_WORDS) as readonly StandingState[];
