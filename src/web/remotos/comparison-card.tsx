/**
 * Shows the result of the newest comparison and starts another one, over the network or from the exports of
 * the other side.
 */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Comparison, ComparisonStarted, Remote, Run } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useRight, hasRight, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { Progress } from '../ui/progress.tsx';
import { EmptyList } from '../ui/table.tsx';
import { countText, withCount, momentText } from '../words.ts';
import { toast } from '../ui/toast.tsx';
import { useForm } from '../api/use-form.ts';
import { Checkbox } from '../ui/field.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { countOf, differenceCount } from './counts.tsx';
import { KIND_NAMES, hasAddress, isComparing, remotePath, rewordSentence, runTitle } from './words.ts';

/** Code of the only failure that a person may override. */
const MANY_MISSING = 'CATP-ER1528';

export interface ComparisonCardProps {
  readonly remote: Remote;
  readonly company: string;
  readonly newest: Comparison | undefined;
  /** The newest completed comparison. */
  readonly newestDone: Comparison | undefined;
  readonly runUnderWay: Run | undefined;
  readonly onStarted: () => void;
}

export function ComparisonCard(props: ComparisonCardProps) {
  const { remote, company, newest, newestDone, runUnderWay, onStarted } = props;
  const mayApprove = useRight('aprovacao', company);
  const [isByFiles, setByFiles] = useState(false);
  const path = remotePath(remote.name, '/comparisons');
  const starting = useAction(
    (force: boolean) => api.post<ComparisonStarted>(path, { cpfCnpjRaiz: company, ...(force && { force }) }),
    onStarted,
  );
  const isByNetwork = hasAddress(remote);
  const isBusy = starting.isBusy || (newest !== undefined && isComparing(newest));
  const failed = newest?.state === 'failed' ? newest : undefined;
  return (
    <Card
      title="Comparação"
      actions={
        mayApprove && (
          <>
            <Button
              kind="primary"
              isBusy={isBusy}
              onPress={() => (isByNetwork ? void starting.run(false) : setByFiles(true))}
            >
              Comparar com {remote.name}
            </Button>
            <CompareAll remote={remote} onStarted={onStarted} />
            {isByNetwork && (
              <Button kind="bare" isBusy={isBusy} onPress={() => setByFiles(true)}>
                Por arquivos…
              </Button>
            )}
          </>
        )
      }
    >
      <div class="stack">
        <ErrorAlert error={starting.error} />
        {runUnderWay !== undefined && (
          <Notice tone="calm">
            <p>
              <Link href={`/remotos/${runUnderWay.id}?cpfCnpjRaiz=${company}`}>{runTitle(runUnderWay)}</Link>{' '}
              está em andamento: {countText(runUnderWay.done)} de{' '}
              {withCount(runUnderWay.total, 'passo', 'passos')}.
            </p>
          </Notice>
        )}
        {newest !== undefined && isComparing(newest) && (
          <Progress label={`Comparando com ${remote.name}`} done={0} total={null} aside="nada é enviado" />
        )}
        {failed !== undefined && (
          <Notice tone="bad">
            <p>
              A comparação de {momentText(failed.at)} não terminou.{' '}
              {rewordSentence(failed.error?.message ?? '')}
            </p>
            {isByNetwork && failed.error?.code === MANY_MISSING && (
              <Button small isBusy={isBusy} onPress={() => void starting.run(true)}>
                Comparar mesmo assim
              </Button>
            )}
          </Notice>
        )}
        {newestDone !== undefined && <Outcome comparison={newestDone} />}
        {newest === undefined && <NoComparison remote={remote} />}
      </div>
      {isByFiles && (
        <FilesDialog
          remote={remote}
          company={company}
          onStarted={() => {
            setByFiles(false);
            onStarted();
          }}
          onClose={() => setByFiles(false)}
        />
      )}
    </Card>
  );
}

function Outcome({ comparison }: { readonly comparison: Comparison }) {
  const differing = differenceCount(comparison);
  const comparedCount = KIND_NAMES.reduce((sum, kind) => sum + countOf(comparison, kind, 'igual'), differing);
  const resultText = `Comparado em ${momentText(comparison.at)}: ${withCount(comparedCount, 'registro', 'registros')}`;
  if (differing > 0)
    return (
      <p role="status">
        {resultText}, <strong>{withCount(differing, 'difere', 'diferem')}</strong>.
      </p>
    );
  return (
    <Notice tone="good">
      <p>
        {resultText}, <strong>tudo igual</strong> dos dois lados.
      </p>
    </Notice>
  );
}

const NoComparison = ({ remote }: { readonly remote: Remote }) => (
  <EmptyList>
    <p>
      <strong>Ainda não houve comparação com {remote.name}.</strong>
    </p>
    <p>
      {hasAddress(remote)
        ? 'Comparar lê três exportações de lá, produtos, operadores e vínculos, e mostra aqui em que os dois lados diferem. Nada é gravado, nem aqui nem lá.'
        : 'Este remoto não tem endereço: exporte lá os produtos e os operadores, com os desativados, e os vínculos; depois compare com os três arquivos. Nada é gravado, nem aqui nem lá.'}
    </p>
  </EmptyList>
);

/** Compares all companies that a remote serves and that the user may approve in, by one request. */
function CompareAll({ remote, onStarted }: { readonly remote: Remote; readonly onStarted: () => void }) {
  const session = useSession();
  const companies = remote.companies.filter((company) => hasRight(session, 'aprovacao', company));
  const start = useAction(
    () => api.post<ComparisonStarted>(remotePath(remote.name, '/comparisons'), { companies: 'todas' }),
    ({ ids = [] }) => {
      toast(
        `${withCount(ids.length, 'comparação pedida', 'comparações pedidas')}: o painel mostra o que difere.`,
      );
      onStarted();
    },
  );
  if (companies.length < 2 || !hasAddress(remote)) return null;
  return (
    <>
      <Button isBusy={start.isBusy} onPress={() => void start.run()}>
        Comparar as {companies.length} empresas
      </Button>
      <ErrorAlert error={start.error} />
    </>
  );
}

const FILES = {
  produtos: 'Produtos, com os desativados',
  operadores: 'Operadores estrangeiros, com os desativados',
  vinculos: 'Vínculos com fabricantes',
} as const;
type Name = keyof typeof FILES;
const NAMES = Object.keys(FILES) as readonly Name[];

interface Values extends Record<Name, File | undefined> {
  readonly force: boolean;
}

/** Compares without network access: the user uploads the three exports of the other side. */
function FilesDialog(props: {
  readonly remote: Remote;
  readonly company: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}) {
  const { remote, company, onStarted, onClose } = props;
  const form = useForm<Values>({
    produtos: undefined,
    operadores: undefined,
    vinculos: undefined,
    force: false,
  });
  const { values } = form;
  const start = async (): Promise<void> => {
    const missing = NAMES.filter((name) => values[name] === undefined);
    if (missing.length > 0)
      return form.refuse(
        missing.map((place) => ({ place, code: null, message: `${FILES[place]}: falta o arquivo.` })),
      );
    const started = await form.submit(({ force, ...files }) => {
      const body = new FormData();
      body.set('cpfCnpjRaiz', company);
      for (const name of NAMES) body.set(name, files[name] ?? '');
      if (force) body.set('force', 'true');
      return api.post<ComparisonStarted>(remotePath(remote.name, '/comparisons'), body);
    });
    if (started !== undefined) onStarted();
  };
  return (
    <FormDialog
      title={`Comparar com ${remote.name} por arquivos`}
      action="Comparar"
      wide
      form={form}
      onClose={onClose}
      onSave={start}
    >
      <p class="muted">
        As três exportações de lá, como vieram: o zip, ou o JSON de dentro dele. Nada é enviado a lugar
        nenhum.
      </p>
      <div class="remote-columns">
        {NAMES.map((name) => (
          <FileDrop
            key={name}
            title={FILES[name]}
            accept=".zip,.json"
            files={values[name] === undefined ? [] : [values[name]]}
            onFiles={([file]) => form.set({ [name]: file })}
          />
        ))}
      </div>
      <Checkbox
        label="Seguir mesmo que falte mais da metade"
        help="Do que se sabia estar lá: quase sempre é o arquivo de outra empresa, ou sem os desativados."
        {...form.field('force')}
      />
    </FormDialog>
  );
}
