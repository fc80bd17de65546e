/**
 * Failure reasons of an import. Rows of a spreadsheet are corrected in the page, and the server imports them
 * again.
 */
import { useState, useId } from 'preact/hooks';
import type { ImportProgress, ImportReason, ImportStarted, ImportResult } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useCompany } from '../../api/use-company.ts';
import { useForm } from '../../api/use-form.ts';
import { useOpenImport } from '../../api/use-open-import.ts';
import { useResource } from '../../api/use-resource.ts';
import { problemText } from '../../sentences.ts';
import { isOutOfPlace } from '../../corrigir/mending.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Checkbox, Input } from '../../ui/field.tsx';
import { instead } from '../../ui/form.tsx';
import { WithNcms } from '../../ui/ncm.tsx';
import { Card, ResourceView } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { withCount } from '../../words.ts';
import { EACH_MAX, fillsOf } from '../../kit/each/cells.ts';
import { EachDialog } from '../../kit/each/each-dialog.tsx';
import { resultOf } from '../../api/result.ts';
import { IMPORTS } from '../kinds.ts';
import {
  type ChosenCorrections,
  NOTHING_CHOSEN,
  type Removal,
  type Values,
  correctionsOf,
  leavingOut,
  fixesOf,
  isMemorable,
  ownRows,
  pointOptions,
  reasonKey,
  type Fix,
  rowKey,
} from './chosen-corrections.ts';
import { failedOf } from './all-results.ts';

export function Reasons(props: {
  readonly job: ImportProgress;
  /** Rows of the dry run that the user leaves out. */
  readonly rowsOut: readonly number[];
}) {
  const { job, rowsOut } = props;
  const path = `${IMPORTS}/${job.id}`;
  const company = useCompany();
  const openImport = useOpenImport();
  const reasons = useResource<readonly ImportReason[]>(`${path}/reasons`);
  // Stored per import, so that a new sign-in or a reload does not lose them.
  const form = useForm(NOTHING_CHOSEN, { storageKey: `correcoes.${job.id}` });
  const { fixes } = form.values;
  const [rowWiseReason, setRowWiseReason] = useState<ImportReason>();
  const fill = (changes: Values): void =>
    form.set(({ fixes: before }) => ({ fixes: { ...before, ...changes } }));
  const set = correctionsOf(reasons.value ?? [], form.values);
  const send = async (): Promise<void> => {
    const started = await form.submit(() =>
      api.post<ImportStarted>(`${path}/corrections`, {
        set: [...set, ...leavingOut(rowsOut)],
        simular: job.simular,
      }),
    );
    if (started !== undefined) openImport(started.id, company);
  };
  const verb = job.simular ? 'Conferir' : 'Importar';
  return (
    <Card title="O que corrigir">
      <form class="stack" onSubmit={instead(send)}>
        <ResourceView resource={reasons}>
          {(all) => (
            <ul class="plain reasons">
              {all.map((reason) => (
                <li key={`${reason.reason} ${reason.member}`}>
                  <Reason
                    reason={reason}
                    corrections={form.values}
                    isCorrected={job.fromSheet && !job.cellsDropped}
                    onEach={() => setRowWiseReason(reason)}
                    onFix={(key, value) => fill({ [key]: value })}
                    onRemove={(key, removal) =>
                      form.set(({ removals: { [key]: _before, ...others } }) => ({
                        removals: removal === undefined ? others : { ...others, [key]: removal },
                      }))
                    }
                    onDecimal={(member, sign) =>
                      form.set(({ decimals }) => ({ decimals: { ...decimals, [member]: sign } }))
                    }
                    onRemember={(isRemembered) =>
                      form.set(({ remembered }) => ({
                        remembered: { ...remembered, [reasonKey(reason)]: isRemembered },
                      }))
                    }
                  />
                </li>
              ))}
            </ul>
          )}
        </ResourceView>
        {job.fromSheet && !job.cellsDropped && (
          <Actions>
            <Button
              type="submit"
              kind={set.length > 0 || !job.simular ? 'primary' : 'quiet'}
              isBusy={form.isBusy}
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
        <ErrorAlert error={form.error} />
      </form>
      {rowWiseReason !== undefined && (
        <EachRow
          job={job}
          importReason={rowWiseReason}
          values={fixes}
          onFill={(own) => {
            fill(own);
            setRowWiseReason(undefined);
          }}
          onClose={() => setRowWiseReason(undefined)}
        />
      )}
    </Card>
  );
}

function Reason(props: {
  readonly reason: ImportReason;
  readonly corrections: ChosenCorrections;
  readonly isCorrected: boolean;
  /** Called to correct each row separately. */
  readonly onEach: () => void;
  readonly onFix: (key: string, value: string) => void;
  /** Called without a removal to take it back. */
  readonly onRemove: (key: string, removal: Removal | undefined) => void;
  readonly onDecimal: (member: string, sign: string) => void;
  readonly onRemember: (isRemembered: boolean) => void;
}) {
  const { reason, corrections, isCorrected, onEach, onFix, onRemove, onDecimal, onRemember } = props;
  const { heading, member, count, rows, ambiguous } = reason;
  const { fixes } = corrections;
  const own = ownRows(reason, fixes);
  const more = count > rows.length ? '…' : '';
  return (
    <>
      <p>
        <strong>{heading ?? 'A linha inteira'}</strong> · {withCount(count, 'linha', 'linhas')} (
        {rows.join(', ')}
        {more})
      </p>
      <p>
        {reason.received.length > 1 && 'Por exemplo: '}
        <WithNcms text={problemText(reason, member ?? '')} />
      </p>
      {isCorrected && member !== null && (
        <div class="corrections">
          {ambiguous !== null && (
            <Select
              label="O ponto, na coluna inteira"
              value={corrections.decimals[member] ?? ''}
              onChange={(sign) => onDecimal(member, sign)}
              options={pointOptions(ambiguous)}
            />
          )}
          {fixesOf(reason).map((fix) => (
            <FixField
              key={fix.key}
              fix={fix}
              value={fixes[fix.key] ?? ''}
              removal={corrections.removals[fix.key]}
              onFix={(value) => onFix(fix.key, value)}
              onRemove={(removal) => onRemove(fix.key, removal)}
            />
          ))}
          {isMemorable(reason) && (
            <Checkbox
              label="Lembrar"
              help="Nas próximas planilhas da empresa estes valores são lidos assim."
              value={corrections.remembered[reasonKey(reason)] ?? false}
              onChange={onRemember}
            />
          )}
          {count > 1 && !isOutOfPlace(reason) && (
            <Button small onPress={onEach}>
              Cada um o seu
            </Button>
          )}
          {own > 0 && (
            <span class="muted">{withCount(own, 'linha com valor próprio', 'linhas com valor próprio')}</span>
          )}
        </div>
      )}
    </>
  );
}

/** Longer lists use a text field: the server rejects unknown values. */
const CHOSEN_FROM_MAX = 200;

const REMOVED: Readonly<Record<Removal, string>> = { empty: 'fica vazia', skip: 'a linha fica de fora' };

/** Field for one replacement. Its buttons empty the cells, or leave their rows out. */
function FixField(props: {
  readonly fix: Fix;
  readonly value: string;
  readonly removal: Removal | undefined;
  readonly onFix: (value: string) => void;
  /** Called without a removal to take it back. */
  readonly onRemove: (removal: Removal | undefined) => void;
}) {
  const { fix, value, removal, onFix, onRemove } = props;
  const { label, accepted, received, outOfPlace } = fix;
  const id = useId();
  // An empty cell cannot be emptied.
  const canEmpty = outOfPlace !== undefined || (received ?? '') !== '';
  if (removal !== undefined)
    return (
      <div class="fix">
        <p id={id}>
          {label}: <strong>{REMOVED[removal]}</strong>
        </p>
        <Button small kind="bare" describedBy={id} onPress={() => onRemove(undefined)}>
          Voltar a corrigir
        </Button>
      </div>
    );
  const bound = { label, value, onChange: onFix };
  return (
    <div class="fix">
      {outOfPlace !== undefined ? (
        <p>{label}</p>
      ) : accepted === null || accepted.length > CHOSEN_FROM_MAX ? (
        <Input {...bound} />
      ) : (
        <Select
          {...bound}
          options={[
            { value: '', label: 'deixar como está' },
            ...accepted.map((acceptedValue) => ({ value: acceptedValue, label: acceptedValue })),
          ]}
        />
      )}
      <span id={id} hidden>
        {label}
      </span>
      <Actions>
        {canEmpty && (
          <Button small kind="bare" describedBy={id} onPress={() => onRemove('empty')}>
            Esvaziar
          </Button>
        )}
        <Button small kind="bare" describedBy={id} onPress={() => onRemove('skip')}>
          Deixar de fora
        </Button>
      </Actions>
    </div>
  );
}

interface EachRowProps {
  readonly job: ImportProgress;
  readonly importReason: ImportReason;
  readonly values: Values;
  /** Called with the values of the rows in the dialog; '' where none is filled in. */
  readonly onFill: (values: Values) => void;
  readonly onClose: () => void;
}

/** Dialog for the rows that were refused for one reason, each with its own value. */
function EachRow({ job, importReason, values, onFill, onClose }: EachRowProps) {
  const failed = useResource<readonly ImportResult[]>(failedOf(job.id));
  const fills = fillsOf(importReason);
  return (
    <ResourceView resource={failed}>
      {(results) => {
        const rows = results
          .filter(isRefusedFor(importReason))
          .slice(0, EACH_MAX)
          .map(({ row, line, name }) => ({ number: row ?? line, name: name ?? '', currentOf: () => '' }));
        const keys = rows.map(({ number }) =>
          fills.map(({ target }) => rowKey(importReason, target, number)),
        );
        return (
          <EachDialog
            storageKey={JSON.stringify([job.id, importReason.reason, importReason.member])}
            fills={fills}
            words={['linha', 'linhas']}
            rows={rows}
            initial={keys.map((row) => row.map((key) => values[key] ?? ''))}
            submit="Usar estes valores"
            send={async (cells) => resultOf(cells)}
            onDone={(cells) =>
              onFill(
                Object.fromEntries(
                  keys.flatMap((row, index) => row.map((key, column) => [key, cells[index]?.[column] ?? ''])),
                ),
              )
            }
            onClose={onClose}
          />
        );
      }}
    </ResourceView>
  );
}

const isRefusedFor =
  ({ reason, member }: ImportReason) =>
  ({ problems }: ImportResult): boolean =>
    problems.some((problem) => problem.code === reason && problem.member === member);
