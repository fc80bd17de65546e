/**
 * Failure reasons of an import. Rows of a spreadsheet are corrected in the page, and the server imports them
 * again.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Corrections, ImportProgress, ImportReason, ImportStarted } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useCompany } from '../../api/use-company.ts';
import { useGo } from '../../api/use-go.ts';
import { useResource } from '../../api/use-resource.ts';
import { worded } from '../../sentences.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Input } from '../../ui/field.tsx';
import { instead } from '../../ui/form.tsx';
import { fillsOf } from '../../kit/each/cells.ts';
import { WithNcms } from '../../ui/ncm.tsx';
import { Card, Fetched } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { counted } from '../../words.ts';
import { IMPORTS } from '../kinds.ts';
import { EachRow } from './each-row.tsx';

/**
 * Replacement of a received value, by reason. Without a received value it applies to all rows of the reason.
 */
type Values = ReadonlyMap<string, string>;

/** Longer lists use a text field: the server rejects unknown values. */
const CHOSEN_FROM_MAX = 200;

export function Reasons({ job }: { readonly job: ImportProgress }): JSX.Element {
  const path = `${IMPORTS}/${job.id}`;
  const company = useCompany();
  const go = useGo();
  const reasons = useResource<readonly ImportReason[]>(`${path}/reasons`);
  const [values, setValues] = useState<Values>(new Map());
  const [each, setEach] = useState<ImportReason>();
  const sending = useAction(
    (set: Corrections['set']) =>
      api.post<ImportStarted>(`${path}/corrections`, { set, simular: job.simular }),
    ({ id }) => go(`/importar/${id}?cpfCnpjRaiz=${company}`),
  );
  const verb = job.simular ? 'Conferir' : 'Importar';
  const set = setOf(reasons.value ?? [], values);
  return (
    <Card title="O que corrigir">
      <form class="stack" onSubmit={instead(() => void sending.run(set))}>
        <Fetched of={reasons}>
          {(all) => (
            <ul class="plain reasons">
              {all.map((reason) => (
                <li key={`${reason.reason} ${reason.member}`}>
                  <Reason
                    reason={reason}
                    values={values}
                    isCorrected={job.fromSheet && !job.cellsDropped}
                    onEach={() => {
                      sending.clear();
                      setEach(reason);
                    }}
                    onChange={(key, value) => setValues(new Map(values).set(key, value))}
                  />
                </li>
              ))}
            </ul>
          )}
        </Fetched>
        {job.fromSheet && !job.cellsDropped && (
          <Actions>
            <Button
              type="submit"
              kind={set.length > 0 || !job.simular ? 'primary' : 'quiet'}
              busy={sending.busy}
            >
              {set.length > 0
                ? `${verb} as linhas corrigidas`
                : job.simular
                  ? 'Conferir de novo'
                  : 'Importar só os que falharam'}
            </Button>
            <DownloadButton path={`${path}/failed.xlsx`} fallbackName="corrigir.xlsx">
              Baixar as linhas a corrigir
            </DownloadButton>
          </Actions>
        )}
        {each === undefined && <ErrorAlert error={sending.error} />}
      </form>
      {each !== undefined && (
        <EachRow
          job={job}
          sending={sending}
          of={each}
          fills={fillsOf(each)}
          submit={`${verb} as linhas corrigidas`}
          onSubmit={(own) => void sending.run(own)}
          onClose={() => setEach(undefined)}
        />
      )}
    </Card>
  );
}

function Reason(props: {
  readonly reason: ImportReason;
  readonly values: Values;
  readonly isCorrected: boolean;
  /** Called to correct each row separately. */
  readonly onEach: () => void;
  readonly onChange: (key: string, value: string) => void;
}): JSX.Element {
  const { reason, values, isCorrected, onEach, onChange } = props;
  const { heading, message, count, rows } = reason;
  const more = count > rows.length ? '…' : '';
  return (
    <>
      <p>
        <strong>{heading ?? 'A linha inteira'}</strong> · {counted(count, 'linha', 'linhas')} (
        {rows.join(', ')}
        {more})
      </p>
      <p>
        {reason.received.length > 1 && 'Por exemplo: '}
        <WithNcms text={worded(message, reason.member ?? '')} />
      </p>
      {isCorrected && reason.member !== null && (
        <div class="corrections">
          {fixesOf(reason).map(({ key, label, accepted }) => {
            const bound = {
              label,
              value: values.get(key) ?? '',
              onChange: (next: string) => onChange(key, next),
            };
            return accepted === null || accepted.length > CHOSEN_FROM_MAX ? (
              <Input key={key} {...bound} />
            ) : (
              <Select
                key={key}
                {...bound}
                options={[
                  { value: '', label: 'deixar como está' },
                  ...accepted.map((one) => ({ value: one, label: one })),
                ]}
              />
            );
          })}
          {count > 1 && (
            <Button small onPress={onEach}>
              Corrigir linha por linha
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Replacement to fill in, for one received value or for all rows. */
interface Fix {
  readonly key: string;
  readonly label: string;
  readonly accepted: readonly string[] | null;
  readonly member: string;
  readonly received?: string;
}

function fixesOf(one: ImportReason): readonly Fix[] {
  const { reason, member, received, accepted, parts } = one;
  const fixOf = (fix: Omit<Fix, 'key'>): Fix => ({
    ...fix,
    key: JSON.stringify([reason, fix.member, fix.received]),
  });
  if (member === null || parts.length > 0 || received.length === 0)
    return fillsOf(one).map(({ target, heading, accepted: texts }) =>
      fixOf({ member: target, accepted: texts, label: `${heading}, em todas` }),
    );
  return received.map(({ value, count }) => {
    const label = `Em vez de ${value === '' ? 'nada' : `“${value}”`} (${count})`;
    return fixOf({ member, accepted, label, received: value });
  });
}

/** Returns the corrections that the user filled in. */
const setOf = (reasons: readonly ImportReason[], values: Values): Corrections['set'] =>
  reasons.flatMap((one) =>
    fixesOf(one).flatMap<Corrections['set'][number]>(({ key, member, received }) => {
      const { reason } = one;
      const value = values.get(key) ?? '';
      if (value === '') return [];
      return received === undefined
        ? [{ reason, member, value }]
        : [{ reason, member, map: { [received]: value } }];
    }),
  );
