/** The page of a foreign operator: one version, the list of versions, and its products. */
import { Link } from 'wouter-preact';
import type { Answer, ListedVersion, PagedForeignOperator } from '../../api/answers.ts';
import { useRight } from '../../api/session.ts';
import { WaitingForRecord } from '../../aprovar/waiting.tsx';
import { addressFor } from '../../api/use-company.ts';
import { useFilters } from '../../api/use-filters.ts';
import { useResource, type Resource } from '../../api/use-resource.ts';
import type { PageProps } from '../../page.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Page, ResourceView } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { EmptyList } from '../../ui/table.tsx';
import { useRestoreFocus } from '../../ui/use-restore-focus.ts';
import { currentOf, inForceOn } from '../../versions/differences.ts';
import { toast } from '../../ui/toast.tsx';
import { api } from '../../api/api.ts';
import { useGo } from '../../api/use-go.ts';
import { addressOfProposal, proposeRecord } from '../../aprovar/propose-record.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { OPERATOR_PAGES, versionPathOf, versionsPathOf, type Operator, OPERATORS } from '../operator.ts';
import { OperatorForm } from '../form.tsx';
import { OperatorView } from './operator-view.tsx';

export default function OperatorPage({ params }: PageProps) {
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

function LoadedOperator(props: {
  readonly operator: PagedForeignOperator;
  readonly versions: readonly ListedVersion[];
  readonly onChanged: () => void;
}) {
  const { operator, versions, onChanged } = props;
  const canWrite = useRight('preenchimento', operator.cpfCnpjRaiz);
  const isRepresentative = useRight('leitura', operator.cpfCnpjRaiz);
  const [state, setState] = useFilters(STATE);
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
              <Deactivation
                operator={operator}
                versao={displayedVersion}
                isCurrent={selectedVersion === current}
                onDone={() => {
                  onChanged();
                  content.reload();
                }}
              />
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
    </Page>
  );
}

/** Replaces the operator view by the form of a new version or of a rectification. */
const Editing = ({
  mode,
  content,
  inForce,
  onDone,
  onCancel,
}: {
  readonly mode: 'versao' | 'retificar';
  /** The content that the form starts from. */
  readonly content: Resource<Operator>;
  /** The version in force when the page was loaded. */
  readonly inForce: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) => (
  <div class="stack">
    <p class="muted">
      {mode === 'versao'
        ? 'O conteúdo daqui substitui todo o da versão vigente, e o operador fica ativado.'
        : 'Uma retificação corrige a versão pelo mesmo período em que ela vale, e recebe o seu próprio número.'}
    </p>
    <ResourceView resource={content}>
      {(operator) => (
        <OperatorForm
          key={`${mode} ${operator.versao}`}
          cpfCnpjRaiz={operator.cpfCnpjRaiz}
          mode={mode}
          from={operator}
          inForce={inForce}
          onSaved={({ versao }) => {
            toast(`Versão ${versao} gravada.`);
            onDone();
          }}
          onCancel={onCancel}
        />
      )}
    </ResourceView>
  </div>
);

/** Deactivates a version after a confirmation that explains the effect, or proposes it. */
function Deactivation(props: {
  readonly operator: Operator;
  readonly versao: string;
  /** True for the version in force. */
  readonly isCurrent: boolean;
  readonly onDone: () => void;
}) {
  const { cpfCnpjRaiz, codigoPais, codigo, nome } = props.operator;
  const { versao, isCurrent, onDone } = props;
  const mayApprove = useRight('aprovacao', cpfCnpjRaiz);
  const go = useGo();
  if (!mayApprove)
    return (
      <ConfirmButton
        label="Desativar"
        kind="danger"
        title={`Propor a desativação da versão ${versao}?`}
        action="Propor"
        send={() =>
          proposeRecord({
            cpfCnpjRaiz,
            kind: 'operador',
            operation: 'deactivate',
            codigo,
            versao,
            content: { codigoPais },
          })
        }
        onDone={({ id }) => go(addressOfProposal(cpfCnpjRaiz, id))}
      >
        <p>
          <bdi>{nome}</bdi> (<code>{codigo}</code>) continua como está até que outra pessoa, com o papel de
          aprovação, decida.
        </p>
      </ConfirmButton>
    );
  const versionPath = [codigoPais, codigo, versao].map(encodeURIComponent).join('/');
  return (
    <ConfirmButton
      label="Desativar"
      kind="danger"
      title={`Desativar a versão ${versao}?`}
      action="Desativar"
      danger
      send={() => api.put(`${OPERATORS}/desativar/${cpfCnpjRaiz}/${versionPath}`)}
      doneText={`Versão ${versao} desativada.`}
      onDone={onDone}
    >
      <p>
        <bdi>{nome}</bdi> (<code>{codigo}</code>)
      </p>
      <p>
        {isCurrent
          ? 'É a versão vigente: o operador fica desativado, e some das listas até que alguém faça uma nova versão.'
          : 'Não é a versão vigente: o operador continua como está.'}
      </p>
    </ConfirmButton>
  );
}
