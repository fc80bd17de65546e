/** New versions, batch after batch; how far it is, and in the end what became of each product. */
import { useState } from 'preact/hooks';
import { useOneAtATime } from '../../api/use-one-at-a-time.ts';
import type { Planned as ToSend } from '../../produtos/varios/plan.ts';
import { postProducts } from '../../produtos/varios/post.ts';
import { type Sending, sendAll } from '../../produtos/varios/send.ts';

export type SendingState =
  | { readonly state: 'not yet' }
  | { readonly state: 'under way'; readonly done: number; readonly total: number }
  | { readonly state: 'over'; readonly sending: Sending; readonly total: number };

export function useSending(): SendingState & {
  readonly send: (changes: readonly ToSend[]) => Promise<void>;
} {
  const [state, setState] = useState<SendingState>({ state: 'not yet' });
  const send = useOneAtATime()(async (changes: readonly ToSend[]): Promise<void> => {
    const total = changes.length;
    const tell = (done: number): void => setState({ state: 'under way', done, total });
    tell(0);
    const sending = await sendAll(changes, {
      post: postProducts,
      onProgress: tell,
      isStopped: () => false,
    });
    setState({ state: 'over', sending, total });
  });
  return { ...state, send };
}
