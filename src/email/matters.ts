/** Items of the attention list as notices by e-mail. */
import type { AttentionKind } from '../catalogue/summary/matter.ts';
import { NOTICES, type Notice } from '../session/notices/model.ts';

/** Returns the notice of a kind of item. `undefined`: nobody gets it by e-mail. */
export const noticeOf = (kind: AttentionKind): Notice | undefined =>
  kind === 'paraCorrigir' ? 'desativados' : NOTICES.find((notice) => notice === kind);

/** The words of the link of an item, as on the panel. */
export const LINK_LABELS: Readonly<Record<AttentionKind, string>> = {
  paraCorrigir: 'Corrigir',
  importacoes: 'Ver resultado',
  prazos: 'Corrigir',
  assinaturas: 'Ver entregas',
  remotos: 'Ver remoto',
  propostas: 'Decidir',
  semTabela: 'Ver a tabela',
  rascunhos: 'Ver rascunhos',
};
