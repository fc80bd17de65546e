/**
 * Fills in what a deadline requires in several companies: one value for all of them or one for each, a dry run
 * of every company, then the write, or the proposal where the user may only propose (contract sections 17, 25,
 * 27).
 */
import { useState } from 'preact/hooks';
import { type AttributeValues, NO_VALUES } from '../../catalogue/attribute/words/values.ts';
import type { Deadline, ImportProgress, ImportStarted, ProductForm } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Result, resultOf } from '../api/result.ts';
import { hasRight, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useResource } from '../api/use-resource.ts';
import { CHANGES, attributesOf } from '../produtos/change-many.tsx';
import { AttributeField } from '../produtos/form/attribute-fields.tsx';
import { type Field, everyFieldOf } from '../produtos/form/fields.ts';
import { useNcm } from '../produtos/form/use-ncm.ts';
import { IMPORTS } from '../importar/kinds.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { Actions, Button, LinkButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Choice } from '../ui/select.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { countText, withCount, dayText, ncmText, numberText } from '../words.ts';
import { waitForImport } from '../importar/upload.ts';

type Company = NonNullable<Deadline['companies']>[number];

/** The dry run, the write or the proposed dry run of one company. */
interface CompanyRun {
  readonly company: Company;
  readonly job: ImportProgress;
}

/** The two ways to end a dry run. */
type Ending = 'write' | 'propose';

/** A deadline of an attribute. */
export interface AttributeDeadline extends Deadline {
  readonly codigo: string;
}

const SHARED = 'one';

/** `onDone`: called after values were written or proposed. */
export function DeadlineDialog(props: {
  readonly deadline: AttributeDeadline;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { deadline, onClose, onDone } = props;
  const { codigo, on, ncm, modalidade, nome, companies = [] } = deadline;
  const session = useSession();
  const lacking = companies.filter(({ missing }) => missing > 0);
  const endingOf = ({ cpfCnpjRaiz }: Company): Ending | undefined => {
    if (hasRight(session, 'aprovacao', cpfCnpjRaiz)) return 'write';
    return hasRight(session, 'preenchimento', cpfCnpjRaiz) ? 'propose' : undefined;
  };
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [valueMode, setValueMode] = useState<'one' | 'each'>(SHARED);
  const [values, setValues] = useState<Readonly<Record<string, AttributeValues>>>({});
  const rules = useResource<ProductForm>('/appliance/api/product-form').value;
  // An announced attribute is in the table of today, a certain one in the table of its day.
  const inForceToday = useNcm(ncm, rules);
  const onDeadline = useNcm(deadline.kind === 'certain' ? ncm : '', rules, on);
  const fields = [inForceToday, onDeadline].flatMap(({ prepared }) =>
    prepared === undefined ? [] : everyFieldOf(prepared),
  );
  const field = fields.find((attributeField) => attributeField.codigo === codigo);
  const isLoading = rules === undefined || inForceToday.isLoading || onDeadline.isLoading;
  const selectedCompanies = lacking.filter(
    (company) => endingOf(company) !== undefined && !excluded.has(company.cpfCnpjRaiz),
  );
  const valueOf = ({ cpfCnpjRaiz }: Company) =>
    field === undefined
      ? {}
      : attributesOf([field], values[valueMode === SHARED ? SHARED : cpfCnpjRaiz] ?? NO_VALUES);
  const filled = selectedCompanies.filter((deadlineCompany) => codigo in valueOf(deadlineCompany));
  const filter = { deadline: on, lacks: codigo, ncm, ...(modalidade !== null && { lacksFor: modalidade }) };

  const dryRun = useAction((): Promise<Result<readonly CompanyRun[]>> =>
    inEach(filled, (company) =>
      api.post<ImportStarted>(CHANGES, {
        cpfCnpjRaiz: company.cpfCnpjRaiz,
        filter,
        set: { atributos: valueOf(company) },
        simular: true,
      }),
    ),
  );
  const [dryRuns, setDryRuns] = useState<readonly CompanyRun[]>();
  const [endedRuns, setEndedRuns] = useState<readonly CompanyRun[]>([]);
  const hasEnded = ({ company }: CompanyRun): boolean => endedRuns.some((run) => run.company === company);
  const remaining = (dryRuns ?? []).filter((run) => run.job.newVersion > 0 && !hasEnded(run));
  const remainingOf = (ending: Ending): readonly CompanyRun[] =>
    remaining.filter(({ company }) => endingOf(company) === ending);
  const endingAction = useAction(
    (ending: Ending): Promise<Result<readonly CompanyRun[]>> =>
      inEach(
        remainingOf(ending).map(({ company }) => company),
        (company) => {
          const id = remaining.find((run) => run.company === company)?.job.id;
          return ending === 'write'
            ? api.post<ImportStarted>(CHANGES, { cpfCnpjRaiz: company.cpfCnpjRaiz, from: id })
            : api.post<ImportStarted>(`${IMPORTS}/${id}/propose`, {});
        },
        // A refusal keeps the companies before it.
        (run) => setEndedRuns((before) => [...before, run]),
      ),
    onDone,
  );
  const rows = dryRuns?.map((run) => endedRuns.find(({ company }) => company === run.company) ?? run);
  return (
    <Dialog title="Preencher em várias empresas" wide onClose={onClose}>
      <div class="stack">
        <p>
          <bdi>{nome}</bdi>, NCM {ncmText(ncm)}: exigido a partir de {dayText(on)}.
        </p>
        {rows === undefined ? (
          <>
            <Choice
              label="Que valor"
              name="way"
              value={valueMode}
              onChange={setValueMode}
              options={[
                { value: 'one', label: 'Um valor para todas' },
                { value: 'each', label: 'Um valor para cada empresa' },
              ]}
            />
            {isLoading && field === undefined && <Skeleton lines={2} />}
            {!isLoading && field === undefined && (
              <Notice tone="warn">
                Nenhuma tabela carregada tem este atributo: abra a lista de cada empresa.
              </Notice>
            )}
            {field !== undefined && valueMode === SHARED && (
              <DeadlineValue valueKey={SHARED} field={field} values={values} onValues={setValues} />
            )}
            {lacking.map((company) => {
              const { cpfCnpjRaiz, nome: name, missing } = company;
              return (
                <section key={cpfCnpjRaiz} class="stack" aria-label={name}>
                  <Checkbox
                    label={`${name} · ${numberText(cpfCnpjRaiz)} · ${withCount(missing, 'produto', 'produtos')}`}
                    value={selectedCompanies.includes(company)}
                    disabled={endingOf(company) === undefined}
                    help={HELP[endingOf(company) ?? 'nothing']}
                    onChange={(isChosen) =>
                      setExcluded((before) => {
                        const after = new Set(before);
                        if (isChosen) after.delete(cpfCnpjRaiz);
                        else after.add(cpfCnpjRaiz);
                        return after;
                      })
                    }
                  />
                  {field !== undefined && valueMode === 'each' && selectedCompanies.includes(company) && (
                    <DeadlineValue
                      valueKey={cpfCnpjRaiz}
                      field={field}
                      values={values}
                      onValues={setValues}
                    />
                  )}
                </section>
              );
            })}
          </>
        ) : (
          <Table
            caption="O que muda em cada empresa"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ company }) => company.cpfCnpjRaiz}
          />
        )}
        <ErrorAlert error={dryRun.error ?? endingAction.error} />
        <Actions>
          {rows === undefined && (
            <Button
              kind="primary"
              isBusy={dryRun.isBusy}
              disabled={filled.length === 0}
              onPress={() => void dryRun.run().then((runs) => setDryRuns(runs))}
            >
              Conferir sem gravar
            </Button>
          )}
          {BUTTONS.map(
            ([ending, verb]) =>
              remainingOf(ending).length > 0 && (
                <Button
                  key={ending}
                  kind="primary"
                  isBusy={endingAction.isBusy}
                  onPress={() => void endingAction.run(ending)}
                >
                  {verb} em {withCount(remainingOf(ending).length, 'empresa', 'empresas')}
                </Button>
              ),
          )}
          {endedRuns.length === 0 && dryRuns !== undefined && (
            <Button onPress={() => setDryRuns(undefined)}>Voltar aos valores</Button>
          )}
          <Button onPress={onClose}>{endedRuns.length === 0 ? 'Cancelar' : 'Fechar'}</Button>
        </Actions>
      </div>
    </Dialog>
  );
}

const BUTTONS: readonly (readonly [how: Ending, verb: string])[] = [
  ['write', 'Gravar'],
  ['propose', 'Propor'],
];

const HELP: Readonly<Record<Ending | 'nothing', string | undefined>> = {
  write: undefined,
  propose: 'Seu papel nesta empresa é de preenchimento: outra pessoa aprova.',
  nothing: 'Seu papel nesta empresa é de leitura.',
};

const DeadlineValue = ({
  valueKey,
  field,
  values,
  onValues,
}: {
  readonly valueKey: string;
  readonly field: Field;
  readonly values: Readonly<Record<string, AttributeValues>>;
  readonly onValues: (
    change: (before: Readonly<Record<string, AttributeValues>>) => Readonly<Record<string, AttributeValues>>,
  ) => void;
}) => (
  <AttributeField
    field={field}
    filled={values[valueKey] ?? NO_VALUES}
    onFilled={(change) =>
      onValues((before) => ({ ...before, [valueKey]: change(before[valueKey] ?? NO_VALUES) }))
    }
    errorAt={() => undefined}
  />
);

/** Starts the job of each company, one after the other, and waits for all of them. */
async function inEach(
  companies: readonly Company[],
  start: (company: Company) => Promise<Result<ImportStarted>>,
  onEnd?: (run: CompanyRun) => void,
): Promise<Result<readonly CompanyRun[]>> {
  const runs: CompanyRun[] = [];
  for (const company of companies) {
    const started = await start(company);
    if (!started.ok) return started;
    const ended = await waitForImport(started.value.id);
    if (!ended.ok) return ended;
    const run = { company, job: ended.value };
    runs.push(run);
    onEnd?.(run);
  }
  return resultOf(runs);
}

const COLUMNS: readonly Column<CompanyRun>[] = [
  { key: 'company', title: 'Empresa', cell: ({ company }) => <CompanyName {...company} /> },
  {
    key: 'state',
    title: 'Situação',
    cell: ({ job: { state, simular } }) => {
      if (state === 'awaiting') return <Badge icon="clock">Espera uma decisão</Badge>;
      if (simular) return <Badge icon="dash">Seria nova versão</Badge>;
      return (
        <Badge tone="good" icon="check">
          Nova versão
        </Badge>
      );
    },
  },
  { key: 'changed', title: 'Produtos', align: 'right', cell: ({ job }) => countText(job.newVersion) },
  { key: 'failed', title: 'Erro', align: 'right', cell: ({ job }) => countText(job.failed) },
  {
    key: 'see',
    title: 'Ação',
    cell: ({ company, job }) => (
      <LinkButton
        href={`/importar/${job.id}?cpfCnpjRaiz=${company.cpfCnpjRaiz}`}
        aria-label={`Ver resultado de ${company.nome}`}
      >
        Ver resultado
      </LinkButton>
    ),
  },
];
