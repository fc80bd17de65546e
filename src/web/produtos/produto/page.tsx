/** Product page: current and earlier content, manufacturers, actions. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ListedVersion, Product, ConcessionAct, Mending } from '../../api/answers.ts';
import type { ApiError } from '../../api/result.ts';
import { useRight } from '../../api/session.ts';
import { WaitingForRecord } from '../../aprovar/waiting.tsx';
import { useFilters } from '../../api/use-filters.ts';
import { useResource } from '../../api/use-resource.ts';
import { useNcmWords } from '../../api/use-ncm-words.ts';
import { ofAttributes, useDeadlines } from '../../deadline/use-deadlines.ts';
import type { PageProps } from '../../page.ts';
import { ErrorAlert, Notice } from '../../ui/alert.tsx';
import { Situation } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, ResourceView, Page } from '../../ui/page.tsx';
import { NcmEnd } from '../../ui/ncm.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { EmptyList, type Column, Table } from '../../ui/table.tsx';
import { useRestoreFocus } from '../../ui/use-restore-focus.ts';
import { AsOf } from '../../versions/as-of.tsx';
import { currentOf, inForceOn } from '../../versions/differences.ts';
import { dayText, momentText } from '../../words.ts';
import { Compare } from '../../versions/compare.tsx';
import { Timeline } from '../../versions/timeline.tsx';
import { queryOf } from '../../api/client.ts';
import { addressFor } from '../../api/use-company.ts';
import { ReasonText } from '../../corrigir/reason-text.tsx';
import { PRODUCT_PAGES, PRODUCTS, type ProductContent } from '../product.ts';
import { ProductActions } from './actions.tsx';
import { ProductContentView } from './content.tsx';
import { EditedProduct, isMode } from './editing.tsx';
import { Links } from './links.tsx';
import { NO_NAMES, changedText, flatOf, labelOf } from './reading.ts';
import { ProductRemotes } from './product-remotes.tsx';
import { useNames } from './use-names.ts';

export default function ProductPage({ params }: PageProps) {
  const { cpfCnpjRaiz = '', codigo: codigoText = '' } = params;
  const codigo = codigoText.replace(/^0+(?=\d)/, '');
  const path = `${cpfCnpjRaiz}/${codigo}`;
  const history = useResource<readonly ListedVersion[]>(`${PRODUCT_PAGES}/${path}/versions`);
  const current = currentOf(history.value ?? [])?.versao;
  const product = useResource<Product>(current && `${PRODUCTS}/${path}/${current}`);
  const [refusal, setRefusal] = useState<ApiError>();
  const [{ editar, versao, dataReferencia, conferir }, setFilters] = useFilters(ADDRESS);
  const displayedVersion = versionOnPage(history.value ?? [], versao, dataReferencia);
  const isRepresentative = useRight('leitura', cpfCnpjRaiz);
  const mayFill = useRight('preenchimento', cpfCnpjRaiz);
  const mayApprove = useRight('aprovacao', cpfCnpjRaiz);
  const changed = (): void => {
    history.reload();
    product.reload();
  };
  const edited = (saved: boolean): void => {
    // After a new version, an earlier selection or comparison is not relevant any more.
    setFilters({
      editar: '',
      conferir: '',
      ...(saved && { versao: '', dataReferencia: '', de: '', para: '' }),
    });
    if (saved) changed();
  };
  const isEditing = isMode(editar);
  useRestoreFocus(isEditing ? editar : '');
  return (
    <Page
      title={`Produto ${codigo}`}
      about={product.value !== undefined && <Heading product={product.value} />}
      actions={
        mayFill &&
        !isEditing &&
        product.value !== undefined && (
          <ProductActions
            product={product.value}
            mayApprove={mayApprove}
            onEdit={(mode, showProblems = false) =>
              setFilters({
                editar: mode,
                conferir: showProblems ? 'sim' : '',
                dataReferencia: '',
                // A rectification applies to the displayed version. All other edits continue from the version
                // in force.
                versao: mode === 'retificar' && displayedVersion !== current ? (displayedVersion ?? '') : '',
              })
            }
            onChanged={changed}
            onRefused={setRefusal}
          />
        )
      }
    >
      <ErrorAlert error={refusal} />
      {isEditing ? (
        <EditedProduct
          cpfCnpjRaiz={cpfCnpjRaiz}
          codigo={codigo}
          versao={versao}
          mode={editar}
          showProblems={conferir !== ''}
          onEnd={edited}
        />
      ) : (
        <ResourceView resource={history} lines={8}>
          {(versions) => (
            <Versions
              key={path}
              cpfCnpjRaiz={cpfCnpjRaiz}
              codigo={codigo}
              versions={versions}
              mayFill={mayFill}
              isRepresentative={isRepresentative}
            />
          )}
        </ResourceView>
      )}
    </Page>
  );
}

/** `deactivatedBy` of a version that no user deactivated. */
const SYSTEM = 'sistema';

const ADDRESS = ['editar', 'versao', 'dataReferencia', 'conferir', 'de', 'para'] as const;

const Heading = ({ product: { denominacao, situacao, versao } }: { readonly product: Product }) => (
  <span class="product-heading">
    <bdi>{denominacao}</bdi>
    <span>
      <Situation situacao={situacao} /> versão {versao}
    </span>
  </span>
);

/** Returns the version in the address, or the one in force on its date; otherwise the one in force now. */
function versionOnPage(
  versions: readonly ListedVersion[],
  versao: string,
  dataReferencia: string,
): string | undefined {
  if (versao !== '') return versao;
  return (dataReferencia === '' ? currentOf(versions) : inForceOn(versions, dataReferencia))?.versao;
}

/** The end of an NCM is not a fault of the product. */
function EndNotice({ ncm }: { readonly ncm: string }) {
  if (useNcmWords([ncm]).get(ncm)?.endsOn == null) return null;
  return (
    <Notice tone="warn">
      <NcmEnd code={ncm} />
    </Notice>
  );
}

interface VersionsProps {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  readonly versions: readonly ListedVersion[];
  readonly mayFill: boolean;
  readonly isRepresentative: boolean;
}

function Versions({ cpfCnpjRaiz, codigo, versions, mayFill, isRepresentative }: VersionsProps) {
  const path = `${cpfCnpjRaiz}/${codigo}`;
  const [{ versao, dataReferencia }, setVisible] = useFilters(['versao', 'dataReferencia']);
  const latest = currentOf(versions);
  const current = latest?.versao;
  const displayedVersion = versionOnPage(versions, versao, dataReferencia);
  const content = useResource<Product>(
    displayedVersion === undefined ? undefined : `${PRODUCTS}/${path}/${displayedVersion}`,
  );
  const loadedNames = useNames(content.value);
  const names = loadedNames ?? NO_NAMES;
  const situacao = latest?.situacao;
  const isActive = situacao === 'ATIVADO' && displayedVersion === current;
  const deadlines = useDeadlines(isActive ? { cpfCnpjRaiz, codigoProduto: codigo } : undefined);
  return (
    <>
      {isRepresentative && (
        <>
          <WaitingForRecord cpfCnpjRaiz={cpfCnpjRaiz} tipo="produto" codigo={codigo} />
          <WaitingForRecord cpfCnpjRaiz={cpfCnpjRaiz} tipo="fabricante" codigo={codigo} />
        </>
      )}
      <AsOf
        versions={versions}
        day={versao === '' ? dataReferencia : ''}
        onDay={(next) => setVisible({ dataReferencia: next, versao: '' })}
      />
      {displayedVersion !== undefined && displayedVersion !== current && (
        <Notice tone="warn">
          <p>Esta é a versão {displayedVersion}, que não é a vigente.</p>
          <Button small onPress={() => setVisible({ versao: '', dataReferencia: '' })}>
            Ver a versão vigente
          </Button>
        </Notice>
      )}
      {latest?.deactivatedBy === SYSTEM && displayedVersion === current && (
        <Deactivation cpfCnpjRaiz={cpfCnpjRaiz} codigo={codigo} version={latest} />
      )}
      {content.value?.ncm && <EndNotice ncm={content.value.ncm} />}
      <div class="product-parts">
        <Card title={displayedVersion === undefined ? 'Conteúdo' : `Conteúdo da versão ${displayedVersion}`}>
          {displayedVersion === undefined ? (
            <EmptyList>Em {dayText(dataReferencia)} o produto ainda não estava no catálogo.</EmptyList>
          ) : (
            <ResourceView resource={content} lines={6}>
              {(product) =>
                loadedNames === undefined ? (
                  <Skeleton lines={6} />
                ) : (
                  <ProductContentView product={product} names={names} deadlines={ofAttributes(deadlines)} />
                )
              }
            </ResourceView>
          )}
        </Card>
        <Card title="Versões">
          <Timeline
            versions={versions}
            currentVersion={displayedVersion ?? ''}
            onShow={(next) => setVisible({ versao: next === current ? '' : next, dataReferencia: '' })}
            textOf={(member, value) => changedText(member, value, names)}
          />
        </Card>
      </div>
      <Compare
        versions={versions}
        pathOf={(version) => `${PRODUCTS}/${path}/${version}`}
        reading={(read) => flatOf(read as ProductContent, names)} // the response of `pathOf`
        nameOf={(place) => labelOf(place, names)}
      />
      <Links
        cpfCnpjRaiz={cpfCnpjRaiz}
        codigo={codigo}
        canWrite={mayFill}
        isDeactivated={situacao === 'DESATIVADO'}
      />
      <ConcessionActs cpfCnpjRaiz={cpfCnpjRaiz} codigo={codigo} />
      {isRepresentative && <ProductRemotes key={current} cpfCnpjRaiz={cpfCnpjRaiz} codigo={codigo} />}
    </>
  );
}

const COLUMNS: readonly Column<ConcessionAct>[] = [
  { key: 'numeroAto', title: 'Número do ato', code: true, cell: ({ numeroAto }) => numeroAto },
  { key: 'numeroItem', title: 'Número do item', code: true, cell: ({ numeroItem }) => numeroItem },
];

/** Concession acts that use the product. */
function ConcessionActs({ cpfCnpjRaiz, codigo }: { readonly cpfCnpjRaiz: string; readonly codigo: string }) {
  const acts = useResource<readonly ConcessionAct[]>('/appliance/api/concession-acts', {
    query: { cpfCnpjRaiz, codigoProduto: codigo },
  });
  return (
    <Card title="Atos concessórios">
      <ResourceView resource={acts} lines={2}>
        {(all) => (
          <Table
            caption="Atos concessórios do produto"
            columns={COLUMNS}
            rows={all}
            rowKey={({ numeroAto, numeroItem }) => `${numeroAto} ${numeroItem}`}
            empty="Nenhum ato concessório."
          />
        )}
      </ResourceView>
    </Card>
  );
}

interface DeactivationProps {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  /** Current version, which the system deactivated. */
  readonly version: ListedVersion;
}

/** Explains why the system deactivated a product: the attributes, the table, and the way to the queue. */
function Deactivation({ cpfCnpjRaiz, codigo, version }: DeactivationProps) {
  const { deactivatedAt, deactivatedByTable: table } = version;
  // The content has not changed since the deactivation, so the same table finds the same problems. If that
  // table is not stored any more, the one in force judges it.
  const query = { cpfCnpjRaiz, codigo, ...(table?.isWhole === true && { toMend: String(table.id) }) };
  const mending = useResource<Mending>(`${PRODUCT_PAGES}/reasons${queryOf(query)}`);
  return (
    <Notice tone="warn">
      <p>
        O sistema desativou este produto em {momentText(deactivatedAt ?? '')}, porque{' '}
        {table === undefined
          ? 'a tabela de atributos não o admitia'
          : `a tabela de atributos ${table.versao}, em vigor desde ${dayText(table.inForceOn)}, não o admite`}
        .
      </p>
      <ResourceView resource={mending}>
        {({ reasons }) =>
          reasons.length === 0 ? (
            <p>Hoje nada mais falta nele.</p>
          ) : (
            <ul class="plain">
              {reasons.map((reason) => (
                <li key={`${reason.reason} ${reason.member}`}>
                  <ReasonText mendingReason={reason} toMend="" />
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
      <p>
        Uma nova versão o ativa de novo.{' '}
        <Link href={addressFor('/corrigir', cpfCnpjRaiz)}>Ver todos os produtos a corrigir</Link>
      </p>
    </Notice>
  );
}
