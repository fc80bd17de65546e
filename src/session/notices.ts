/** Notices by e-mail, and when a person wants each (contract section 27). */

export const NOTICES = [
  'prazos',
  'desativados',
  'importacoes',
  'propostas',
  'assinaturas',
  'remotos',
] as const;
export type Notice = (typeof NOTICES)[number];

export const NOTICE_TIMES = ['imediato', 'diario', 'nunca'] as const;
export type NoticeTime = (typeof NOTICE_TIMES)[number];

export type NoticeChoices = Readonly<Record<Notice, NoticeTime>>;

/** The choices of a person who has chosen nothing. */
const DEFAULT_CHOICES: NoticeChoices = {
  prazos: 'diario',
  desativados: 'diario',
  importacoes: 'nunca',
  propostas: 'diario',
  assinaturas: 'nunca',
  remotos: 'nunca',
};

/** Returns all choices of a person. `stored`: the column, which holds those that were made. */
export const choicesIn = (stored: string): NoticeChoices => ({
  ...DEFAULT_CHOICES,
  ...(JSON.parse(stored) as Partial<NoticeChoices>), // written by this program
});
