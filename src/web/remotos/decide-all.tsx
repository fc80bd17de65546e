/** Decides all records that both sides changed at once, for the kind and the words that the list shows. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ComparedRecord, Comparison, PairRequest } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Query } from '../api/client.ts';
import { everyRow } from '../api/pages.ts';
import { type Result, resultOf } from '../api/result.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmSending } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount } from '../words.ts';
import { COMPARISONS } from './words.ts';

type Side = NonNullable<PairRequest['keep']>;

const SIDES: readonly (readonly [side: Side, label: string])[] = [
  ['here', 'Vale o daqui em todas'],
  ['there', 'Vale o de lá em todas'],
];

/** Maximum decisions of one request. */
const DECISIONS_MAX = 1000;

export function DecideAll({
  comparison,
  query,
  total,
  onDecided,
}: {
  readonly comparison: Comparison;
  /** The query of the list. */
  readonly query: Query;
  readonly total: number;
  /** Called after every attempt: the lists before a refused one are decided. */
  readonly onDecided: () => void;
}): JSX.Element | null {
  const [side, setSide] = useState<Side>();
  if (total === 0) return null;
  const path = `${COMPARISONS}/${comparison.id}`;
  const decideAll = async (keep: Side): Promise<Result<number>> => {
    const rows = await everyRow<ComparedRecord>(`${path}/records`, query);
    if (!rows.ok) return rows;
    const paired = rows.value.filter(({ kind }) => kind !== 'vinculo');
    for (let index = 0; index < paired.length; index += DECISIONS_MAX) {
      const decisions = paired
        .slice(index, index + DECISIONS_MAX)
        .map(({ kind, codigo, remoteCodigo }) => ({ kind, codigo, remoteCodigo, keep }));
      const decided = await api.post<ComparedRecord[]>(`${path}/pairs`, decisions);
      if (decided.ok) continue;
      onDecided();
      return decided;
    }
    return resultOf(paired.length);
  };
  return (
    <>
      {SIDES.map(([one, label]) => (
        <Button key={one} small onPress={() => setSide(one)}>
          {label}
        </Button>
      ))}
      {side !== undefined && (
        <ConfirmSending
          title={`${side === 'here' ? 'Vale o daqui' : 'Vale o de lá'} em ${withCount(total, 'registro', 'registros')}?`}
          action="Decidir todos"
          send={() => decideAll(side)}
          onDone={(count) => {
            setSide(undefined);
            toast(`${withCount(count, 'registro decidido', 'registros decididos')}.`);
            onDecided();
          }}
          onClose={() => setSide(undefined)}
        >
          <p>
            Nada muda por isso: o que vale passa a poder ser {side === 'here' ? 'enviado' : 'trazido'}, depois
            de um plano.
          </p>
        </ConfirmSending>
      )}
    </>
  );
}
