/** The page of a foreign operator: one version, the list of versions, and its products. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Answer, ListedVersion, PagedForeignOperator } from '../../api/answers.ts';
import { useRight } from '../../api/session.ts';
import { WaitingForRecord } from '../../aprovar/waiting.tsx';
import { addressFor } from '../../api/use-company.ts';
import { useFilters } from '../../api/use-filters.ts';
import { useResource } from '../../api/use-resource.ts';
import type { PageProps } from '../../page.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { EmptyList } from '../../ui/table.tsx';
import { useRestoreFocus } from '../../ui/use-restore-focus.ts';
import { currentOf, inForceOn } from '../../versions/differences.ts';
import { OPERATOR_PAGES, versionPathOf, versionsPathOf, type Operator } from '../operator.ts';
import { Deactivation } from './deactivation.tsx';
import { Editing } from './editing.tsx';
import { OperatorView } from './operator-view.tsx';

export default function OperatorPage({ params }: PageProps): JSX.Element {
  const { cpfCnpjRaiz = '' } = params;
  const codigo = decodeSegment(params['codigo'] ?? '');
  const key = `${cpfCnpjRaiz}/${codigo}`;
  // Every other path needs the country, which only the list contains.
  const operatorPage = useResource<Answer<'listForeignOperatorPage'>>(OPERATOR_PAGES, {
    query: { cpfCnpjRaiz, codigo, exibirDesativados: true },
  });
  const versions = useResource<readonly ListedVersion[]>(versionsPathOf({ cpfCnpjRaiz, codigo }));
  const operator = operatorPage.value?.items[0];
  if (operator !== undefined && versions.value !== undefined)
    return (
      <LoadedOperator
        key={key}
        operator={operator}
        versions={versions.value}
        onChanged={() => {
          operatorPage.reload();
          versions.reload();
        }}
      />
    );
  const error = versions.error ?? operatorPage.error;
  return (
    <Page title="Operador estrangeiro">
      <ErrorAlert
        error={error}
        {...(error?.status !== NOT_FOUND && {
          onRetry: () => {
            operatorPage.reload();
            versions.reload();
          },
        })}
      />
      {error === undefined && (operatorPage.isLoading || versions.isLoading) && <Skeleton lines={8} />}
      {error?.status === NOT_FOUND && (
        <EmptyList>
          O operador <bdi>{codigo}</bdi> não está neste catálogo.{' '}
          <Link href={addressFor('/operadores', cpfCnpjRaiz)}>Ver os operadores</Link>
        </EmptyList>
      )}
    </Page>
  );
}

/**
 * Decodes a path segment. The router decodes all but the reserved characters; a code may contain a `%` of its
 * own.
 */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const NOT_FOUND = 404;

const STATE = ['versao', 'dataReferencia', 'de', 'para', 'editar'] as const;

function LoadedOperator({
  operator,
  versions,
  onChanged,
}: {
  readonly operator: PagedForeignOperator;
  readonly versions: readonly ListedVersion[];
  readonly onChanged: () => void;
}): JSX.Element {
  const canWrite = useRight('preenchimento', operator.cpfCnpjRaiz);
  const isRepresentative = useRight('leitura', operator.cpfCnpjRaiz);
  const [state, setState] = useFilters(STATE);
  const [isDeactivating, setDeactivating] = useState(false);
  const current = currentOf(versions);
  const asOf = state.dataReferencia === '' ? undefined : inForceOn(versions, state.dataReferencia);
  const selectedVersion = versions.find(({ versao }) => versao === state.versao) ?? asOf ?? current;
  const displayedVersion = selectedVersion?.versao ?? operator.versao;
  const content = useResource<Operator>(versionPathOf(operator, displayedVersion));
  const endEditing = (): void => {
    setState({ editar: '', versao: '', dataReferencia: '', de: '', para: '' });
    onChanged();
    content.reload();
  };
  useRestoreFocus(state.editar);
  const isEditing = canWrite && (state.editar === 'versao' || state.editar === 'retificar');
  return (
    <Page
      title={operator.nome}
      about={
        <>
          Operador estrangeiro <code>{operator.codigo}</code>
        </>
      }
      actions={
        canWrite &&
        !isEditing && (
          <>
            <Button kind="primary" icon="plus" onPress={() => setState({ editar: 'versao' })}>
              Nova versão
            </Button>
            <Button icon="pencil" onPress={() => setState({ editar: 'retificar' })}>
              Retificar
            </Button>
            {selectedVersion?.situacao !== 'DESATIVADO' && (
              <Button kind="danger" onPress={() => setDeactivating(true)}>
                Desativar
              </Button>
            )}
          </>
        )
      }
    >
      {isRepresentative && !isEditing && (
        <WaitingForRecord
          cpfCnpjRaiz={operator.cpfCnpjRaiz}
          tipo="operador-estrangeiro"
          codigo={operator.codigo}
        />
      )}
      {isEditing ? (
        <Card
          title={
            state.editar === 'versao'
              ? `A partir da versão ${displayedVersion}`
              : `Correção da versão ${displayedVersion}`
          }
        >
          <Editing
            mode={state.editar === 'versao' ? 'versao' : 'retificar'}
            content={content}
            inForce={current?.versao ?? displayedVersion}
            onDone={endEditing}
            onCancel={() => setState({ editar: '' })}
          />
        </Card>
      ) : (
        <OperatorView
          operator={operator}
          versions={versions}
          content={content}
          currentVersion={displayedVersion}
          state={state}
          setState={setState}
        />
      )}
      {isDeactivating && (
        <Deactivation
          operator={operator}
          versao={displayedVersion}
          isCurrent={selectedVersion === current}
          onDone={() => {
            setDeactivating(false);
            onChanged();
            content.reload();
          }}
          onClose={() => setDeactivating(false)}
        />
      )}
    </Page>
  );
}
