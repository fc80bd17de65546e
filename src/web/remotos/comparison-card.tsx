/**
 * Shows the result of the newest comparison and starts another one, over the network or from the exports of
 * the other side.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Comparison, ComparisonStarted, Remote, Run } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useRight } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { Progress } from '../ui/progress.tsx';
import { EmptyList } from '../ui/table.tsx';
import { countText, withCount, momentText } from '../words.ts';
import { CompareAll } from './compare-all.tsx';
import { countOf, differenceCount } from './counts.tsx';
import { FilesDialog } from './files-dialog.tsx';
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

export function ComparisonCard(props: ComparisonCardProps): JSX.Element {
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

function Outcome({ comparison }: { readonly comparison: Comparison }): JSX.Element {
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

const NoComparison = ({ remote }: { readonly remote: Remote }): JSX.Element => (
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
