/** Items of the attention list as notices by e-mail. */
import type { AttentionKind } from '../catalogue/summary/attention-item.ts';
import { NOTICES, type Notice } from '../session/notices/model.ts';

/** Returns the notice for a kind of item. `undefined`: this kind is never sent by e-mail. */
export const noticeOf = (kind: AttentionKind): Notice | undefined =>
  kind === 'paraCorrigir' ? 'desativados' : NOTICES.find((notice) => notice === kind);
