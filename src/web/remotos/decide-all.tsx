/** Decides all doubtful records at once, for the kind and the words that the list shows. */
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

/** The decision about one record. `remoteCodigo`: `null` for a record that is new at the remote. */
type PairDecision = Omit<PairRequest, 'remoteCodigo'> & { readonly remoteCodigo: string | null };

/** One answer for all records of a list. */
interface AnswerForAll {
  readonly label: string;
  readonly about: string;
  /** Returns the decisions; a record without one stays doubtful. */
  readonly decisionsOf: (rows: readonly ComparedRecord[]) => readonly PairDecision[];
}

const NOTHING_CHANGES = 'Nada muda por isso: ';

const keeping =
  (keep: NonNullable<PairRequest['keep']>): AnswerForAll['decisionsOf'] =>
  (rows) =>
    rows.map((row) => ({ ...keysOf(row), remoteCodigo: row.remoteCodigo, keep }));

const ANSWERS: Readonly<Record<'mudouNosDois' | 'ambiguo', readonly AnswerForAll[]>> = {
  mudouNosDois: [
    {
      label: 'Vale o daqui em todas',
      about: `${NOTHING_CHANGES}o que vale passa a poder ser enviado, depois de um plano.`,
      decisionsOf: keeping('here'),
    },
    {
      label: 'Vale o de lá em todas',
      about: `${NOTHING_CHANGES}o que vale passa a poder ser trazido, depois de um plano.`,
      decisionsOf: keeping('there'),
    },
  ],
  ambiguo: [
    {
      label: 'Vale o daqui em todas',
      about: `${NOTHING_CHANGES}nenhum deles é um registro de lá, e todos passam a poder ser enviados como novos, depois de um plano.`,
      decisionsOf: (rows) => rows.map((row) => ({ ...keysOf(row), remoteCodigo: null })),
    },
    {
      label: 'É o primeiro candidato em todas',
      about: `${NOTHING_CHANGES}cada um passa a ser o par do primeiro candidato que outro não tem. O que ficar sem candidato continua à espera.`,
      decisionsOf: withFirstCandidates,
    },
  ],
};

export type DoubtfulState = keyof typeof ANSWERS;

const keysOf = ({ kind, codigo }: ComparedRecord) =>
  ({ kind, codigo }) as Pick<PairDecision, 'kind' | 'codigo'>;

/** Pairs each record with the first of its candidates that no earlier one has. */
function withFirstCandidates(rows: readonly ComparedRecord[]): readonly PairDecision[] {
  const paired = new Set<string>();
  return rows.flatMap((row) => {
    const keyOf = (remoteCodigo: string): string => `${row.kind} ${remoteCodigo}`;
    const candidate = row.candidates.find(({ remoteCodigo }) => !paired.has(keyOf(remoteCodigo)));
    if (candidate === undefined) return [];
    paired.add(keyOf(candidate.remoteCodigo));
    return [{ ...keysOf(row), remoteCodigo: candidate.remoteCodigo }];
  });
}

/** Returns true for the states that one answer for all can decide. */
export const isDoubtful = (state: string): state is DoubtfulState => Object.hasOwn(ANSWERS, state);

/** Maximum decisions of one request. */
const DECISIONS_MAX = 1000;

export function DecideAll(props: {
  readonly comparison: Comparison;
  readonly state: DoubtfulState;
  /** The query of the list. */
  readonly query: Query;
  readonly total: number;
  /** Called after every attempt: requests before a refused one have decided their records. */
  readonly onDecided: () => void;
}) {
  const { comparison, state, query, total, onDecided } = props;
  const [answer, setAnswer] = useState<AnswerForAll>();
  if (total === 0) return null;
  const path = `${COMPARISONS}/${comparison.id}`;
  const decideAll = async ({ decisionsOf }: AnswerForAll): Promise<Result<number>> => {
    const rows = await everyRow<ComparedRecord>(`${path}/records`, query);
    if (!rows.ok) return rows;
    const decisions = decisionsOf(rows.value.filter(({ kind }) => kind !== 'vinculo'));
    for (let from = 0; from < decisions.length; from += DECISIONS_MAX) {
      const decided = await api.post<ComparedRecord[]>(
        `${path}/pairs`,
        decisions.slice(from, from + DECISIONS_MAX),
      );
      if (decided.ok) continue;
      onDecided();
      return decided;
    }
    return resultOf(decisions.length);
  };
  return (
    <>
      {ANSWERS[state].map((offeredAnswer) => (
        <Button key={offeredAnswer.label} small onPress={() => setAnswer(offeredAnswer)}>
          {offeredAnswer.label}
        </Button>
      ))}
      {answer !== undefined && (
        <ConfirmSending
          title={`${answer.label.replace(' em todas', '')} em ${withCount(total, 'registro', 'registros')}?`}
          action="Decidir todos"
          send={() => decideAll(answer)}
          onDone={(count) => {
            toast(`${withCount(count, 'registro decidido', 'registros decididos')}.`);
            onDecided();
          }}
          onClose={() => setAnswer(undefined)}
        >
          <p>{answer.about}</p>
        </ConfirmSending>
      )}
    </>
  );
}
