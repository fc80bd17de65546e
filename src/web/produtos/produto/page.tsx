/** One product: what it says, and said; who makes it; what can be done with it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../../api/result.ts';
import { rolesOf, useSession } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { useResource } from '../../api/use-resource.ts';
import type { PageProps } from '../../page.ts';
import { ErrorAlert, Notice } from '../../ui/alert.tsx';
import { Situation } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Fetched, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { Empty } from '../../ui/table.tsx';
import { AsOf } from '../../versions/as-of.tsx';
import { currentOf, inForceOn, type Version } from '../../versions/model.ts';
import { day } from '../../words.ts';
import { type Product, PRODUCT_PAGES, PRODUCTS } from '../product.ts';
import { ProductActions } from './actions.tsx';
import { ConcessionActs } from './acts.tsx';
import { ProductContentView } from './content.tsx';
import { Comparison, History } from './history.tsx';
import { Links } from './links.tsx';
import { NO_NAMES } from './reading.ts';
import { useNames } from './use-names.ts';

export default function ProductPage({ params }: PageProps): JSX.Element {
  const { cpfCnpjRaiz = '', codigo = '' } = params;
  const path = `${cpfCnpjRaiz}/${codigo}`;
  const history = useResource<readonly Version[]>(`${PRODUCT_PAGES}/${path}/versions`);
  const current = currentOf(history.value ?? [])?.versao;
  const product = useResource<Product>(current && `${PRODUCTS}/${path}/${current}`);
  const [refusal, setRefusal] = useState<ApiError>();
  const [, setEditing] = useFilters(['editar']);
  const canWrite = rolesOf(useSession()).includes('representative');
  const changed = (): void => {
    history.reload();
    product.reload();
  };
  return (
    <Page
      title={`Produto ${codigo}`}
      about={product.value !== undefined && <Heading product={product.value} />}
      actions={
        canWrite &&
        product.value !== undefined && (
          <ProductActions
            product={product.value}
            onEdit={(editar) => setEditing({ editar })}
            onChanged={changed}
            onRefused={setRefusal}
          />
        )
      }
    >
      <ErrorAlert error={refusal} />
      <Fetched of={history} lines={8}>
        {(versions) => <Versions key={path} {...{ cpfCnpjRaiz, codigo, versions, canWrite }} />}
      </Fetched>
    </Page>
  );
}

const Heading = ({
  product: { denominacao, situacao, versao },
}: {
  readonly product: Product;
}): JSX.Element => (
  <span class="product-heading">
    <bdi>{denominacao}</bdi>
    <span>
      <Situation situacao={situacao} /> versão {versao}
    </span>
  </span>
);

interface VersionsProps {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  readonly versions: readonly Version[];
  readonly canWrite: boolean;
}

/** The version that the address names, or that was in force on its day; else the one in force now. */
function Versions({ cpfCnpjRaiz, codigo, versions, canWrite }: VersionsProps): JSX.Element {
  const path = `${cpfCnpjRaiz}/${codigo}`;
  const [{ versao, dataReferencia }, setShown] = useFilters(['versao', 'dataReferencia']);
  const current = currentOf(versions)?.versao;
  const shown =
    versao !== '' ? versao : dataReferencia === '' ? current : inForceOn(versions, dataReferencia)?.versao;
  const content = useResource<Product>(shown === undefined ? undefined : `${PRODUCTS}/${path}/${shown}`);
  const names = useNames(content.value?.ncm);
  return (
    <>
      <AsOf
        versions={versions}
        day={versao === '' ? dataReferencia : ''}
        onDay={(next) => setShown({ dataReferencia: next, versao: '' })}
      />
      {shown !== undefined && shown !== current && (
        <Notice tone="warn">
          <p>Esta é a versão {shown}, que não é a vigente.</p>
          <Button small onPress={() => setShown({ versao: '', dataReferencia: '' })}>
            Ver a versão vigente
          </Button>
        </Notice>
      )}
      <div class="product-parts">
        <Card title={shown === undefined ? 'Conteúdo' : `Conteúdo da versão ${shown}`}>
          {shown === undefined ? (
            <Empty>Em {day(dataReferencia)} o produto ainda não estava no catálogo.</Empty>
          ) : (
            <Fetched of={content} lines={6}>
              {(product) =>
                names === undefined ? <Skeleton lines={6} /> : <ProductContentView {...{ product, names }} />
              }
            </Fetched>
          )}
        </Card>
        <History
          versions={versions}
          shown={shown ?? ''}
          onShow={(next) => setShown({ versao: next === current ? '' : next, dataReferencia: '' })}
        />
      </div>
      <Comparison path={path} versions={versions} names={names ?? NO_NAMES} />
      <Links {...{ cpfCnpjRaiz, codigo, canWrite }} />
      <ConcessionActs {...{ cpfCnpjRaiz, codigo }} />
    </>
  );
}
