/** Why items failed, reason by reason; of a spreadsheet each is corrected in place, and the server imports the rows again. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Corrections, ImportProgress, ImportReason, ImportStarted } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useCompany } from '../../api/use-company.ts';
import { useGo } from '../../api/use-go.ts';
import { useResource } from '../../api/use-resource.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Input } from '../../ui/field.tsx';
import { instead } from '../../ui/form.tsx';
import { Card, Fetched } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { counted } from '../../words.ts';
import { IMPORTS } from '../kinds.ts';

/** What is put in the place of a received value, by reason; of a value that is not told, of all of its rows. */
type Values = ReadonlyMap<string, string>;

/** Longer lists are typed: the server says what it does not know. */
const CHOSEN_FROM_MAX = 200;

export function Reasons({ job }: { readonly job: ImportProgress }): JSX.Element {
  const path = `${IMPORTS}/${job.id}`;
  const company = useCompany();
  const go = useGo();
  const reasons = useResource<readonly ImportReason[]>(`${path}/reasons`);
  const [values, setValues] = useState<Values>(new Map());
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
                <li key={keyOf(reason)}>
                  <Reason
                    {...{ reason, values }}
                    isCorrected={job.fromSheet}
                    onChange={(key, value) => setValues(new Map(values).set(key, value))}
                  />
                </li>
              ))}
            </ul>
          )}
        </Fetched>
        {job.fromSheet && (
          <Actions>
            <Button
              type="submit"
              kind={set.length > 0 || !job.simular ? 'primary' : 'quiet'}
              busy={sending.busy}
            >
              {set.length > 0 ? `${verb} as linhas corrigidas` : `${verb} só os que falharam`}
            </Button>
            <DownloadButton path={`${path}/failed.xlsx`} fallbackName="corrigir.xlsx">
              Baixar as linhas a corrigir
            </DownloadButton>
          </Actions>
        )}
        <ErrorAlert error={sending.error} />
      </form>
    </Card>
  );
}

function Reason(props: {
  readonly reason: ImportReason;
  readonly values: Values;
  readonly isCorrected: boolean;
  readonly onChange: (key: string, value: string) => void;
}): JSX.Element {
  const { reason, values, isCorrected, onChange } = props;
  const { heading, member, message, count, rows, received, accepted } = reason;
  const more = count > rows.length ? '…' : '';
  const fixes = received.length > 0 ? received : [{ value: undefined, count }];
  return (
    <>
      <p>
        <strong>{heading ?? 'A linha inteira'}</strong> · {counted(count, 'linha', 'linhas')} (
        {rows.join(', ')}
        {more})
      </p>
      <p>{message}</p>
      {isCorrected && member !== null && (
        <div class="corrections">
          {fixes.map(({ value, count: times }) => {
            const key = keyOf(reason, value);
            const label =
              value === undefined
                ? `${heading ?? member} de todas`
                : `Em vez de ${value === '' ? 'nada' : `“${value}”`} (${times})`;
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
        </div>
      )}
    </>
  );
}

const keyOf = ({ reason, member }: ImportReason, received?: string): string =>
  JSON.stringify([reason, member, received]);

/** What was filled in. */
const setOf = (reasons: readonly ImportReason[], values: Values): Corrections['set'] =>
  reasons.flatMap<Corrections['set'][number]>((one) => {
    const { reason, member, received } = one;
    const forAll = values.get(keyOf(one)) ?? '';
    if (member === null) return [];
    if (received.length === 0) return forAll === '' ? [] : [{ reason, member, value: forAll }];
    const map = Object.fromEntries(
      received.flatMap(({ value }) => {
        const next = values.get(keyOf(one, value)) ?? '';
        return next === '' ? [] : [[value, next]];
      }),
    );
    return Object.keys(map).length === 0 ? [] : [{ reason, member, map }];
  });
