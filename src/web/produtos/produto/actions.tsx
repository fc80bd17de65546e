/** What can be done with the product, as it stands and by who looks at it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { api } from '../../api/api.ts';
import { queryOf } from '../../api/client.ts';
import type { ApiError } from '../../api/result.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Product, type ProductContent, PRODUCTS } from '../product.ts';

/** What the form begins as. */
export type Editing = 'versao' | 'retificar' | 'rascunho';

export interface ProductActionsProps {
  /** The version in force. */
  readonly product: Product;
  readonly onEdit: (mode: Editing) => void;
  /** It is another than before. */
  readonly onChanged: () => void;
  /** A draft could not be activated. */
  readonly onRefused: (error: ApiError | undefined) => void;
}

export function ProductActions(props: ProductActionsProps): JSX.Element {
  const { product, onEdit, onChanged, onRefused } = props;
  const { cpfCnpjRaiz, codigo, situacao } = product;
  const [, navigate] = useLocation();
  const [isLeaving, setLeaving] = useState(false);
  const path = `${PRODUCTS}/${cpfCnpjRaiz}/${codigo}`;
  const activate = useAction(async () => {
    const answer = await api.put(path, contentOf(product));
    onRefused(answer.ok ? undefined : answer.error);
    return answer;
  });
  const deactivate = useAction(() => api.put(`${PRODUCTS}/desativar/${cpfCnpjRaiz}/${codigo}`));
  const done = (what: string): void => {
    toast(what);
    onChanged();
  };
  const close = (): void => {
    setLeaving(false);
    deactivate.clear();
  };
  const isDraft = situacao === 'RASCUNHO';
  return (
    <>
      {isDraft ? (
        <>
          <Button
            kind="primary"
            busy={activate.busy}
            onPress={() =>
              void activate.run().then((activated) => activated !== undefined && done('Produto ativado.'))
            }
          >
            Ativar
          </Button>
          <Button onPress={() => onEdit('rascunho')}>Editar</Button>
        </>
      ) : (
        <>
          <Button kind="primary" onPress={() => onEdit('versao')}>
            Nova versão
          </Button>
          <Button onPress={() => onEdit('retificar')}>Retificar</Button>
        </>
      )}
      <Button onPress={() => navigate(`/produtos/novo${queryOf({ cpfCnpjRaiz, copiar: codigo })}`)}>
        Copiar
      </Button>
      {situacao !== 'DESATIVADO' && (
        <Button kind="danger" onPress={() => setLeaving(true)}>
          Desativar
        </Button>
      )}
      {isLeaving && (
        <Confirm
          title={`Desativar o produto ${codigo}?`}
          action="Desativar"
          danger
          busy={deactivate.busy}
          error={deactivate.error}
          onConfirm={() =>
            void deactivate.run().then((deactivated) => {
              if (deactivated === undefined) return;
              close();
              done('Produto desativado.');
            })
          }
          onClose={close}
        >
          <p>
            <bdi>{product.denominacao}</bdi> fica no catálogo, como desativado, e não recebe mais vínculos.
            Uma nova versão o ativa de novo.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The request form of what a product already says. */
const contentOf = (product: Product): ProductContent => ({
  descricao: product.descricao,
  denominacao: product.denominacao,
  modalidade: product.modalidade,
  ncm: product.ncm,
  atributos: product.atributos,
  atributosMultivalorados: product.atributosMultivalorados,
  atributosCompostos: product.atributosCompostos,
  atributosCompostosMultivalorados: product.atributosCompostosMultivalorados,
  codigosInterno: product.codigosInterno,
});
