/** How far the new versions are, and what became of each product. */
import type { JSX } from 'preact';
import { SentResults } from '../../produtos/varios/results.tsx';
import { Card } from '../../ui/page.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useFocusKeptHere } from '../../ui/use-focus-kept.ts';
import { count } from '../../words.ts';
import type { SendingState } from './use-sending.ts';

export type SendingCardProps = Exclude<SendingState, { readonly state: 'not yet' }> & {
  readonly onClose: () => void;
};

export function SendingCard({ onClose, ...sending }: SendingCardProps): JSX.Element {
  useFocusKeptHere();
  return (
    <Card title="Resultado de cada produto">
      <div class="stack">
        {sending.state === 'under way' ? (
          <Progress
            label="Gravando as novas versões"
            done={sending.done}
            total={sending.total}
            aside={`${count(sending.done)} de ${count(sending.total)}`}
          />
        ) : (
          <SentResults sending={sending.sending} of={sending.total} onClose={onClose} />
        )}
      </div>
    </Card>
  );
}
