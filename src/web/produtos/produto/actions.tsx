/** Actions of a product, by its state and the permissions of the user. */
import { useLocation } from 'wouter-preact';
import type { Product } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { queryOf } from '../../api/client.ts';
import type { ApiError, Result } from '../../api/result.ts';
import { useGo } from '../../api/use-go.ts';
import { addressOfProposal, proposeRecord } from '../../aprovar/propose-record.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { activateDraft, proposeActivation } from '../form/send.ts';
import { PRODUCTS } from '../product.ts';
import type { Editing } from './editing.tsx';

export interface ProductActionsProps {
  /** Version in force. */
  readonly product: Product;
  /** True if the user may write active products, not only drafts. */
  readonly mayApprove: boolean;
  /** `showProblems`: true to show all problems of the product immediately. */
  readonly onEdit: (mode: Editing, showProblems?: boolean) => void;
  /** Called when the product has changed. */
  readonly onChanged: () => void;
  /** Called when a draft was not activated for a reason outside its fields. */
  readonly onRefused: (error: ApiError | undefined) => void;
}

export function ProductActions({ product, mayApprove, onEdit, onChanged, onRefused }: ProductActionsProps) {
  const { cpfCnpjRaiz, codigo, situacao } = product;
  const [, navigate] = useLocation();
  const go = useGo();
  const openFormOnProblems = <T,>(answer: Result<T>): Result<T> => {
    const canShowInForm = !answer.ok && hasFormField(answer.error);
    onRefused(answer.ok || canShowInForm ? undefined : answer.error);
    if (canShowInForm) onEdit('rascunho', true);
    return answer;
  };
  const activate = useAction(
    async () => openFormOnProblems(await activateDraft(`${cpfCnpjRaiz}/${codigo}`, product.versao)),
    () => {
      toast('Produto ativado.');
      onChanged();
    },
  );
  const propose = useAction(
    async () => openFormOnProblems(await proposeActivation(product)),
    ({ id }) => go(addressOfProposal(cpfCnpjRaiz, id)),
  );
  const copy = (): void => navigate(`/produtos/novo${queryOf({ cpfCnpjRaiz, copiar: codigo })}`);
  return (
    <>
      {situacao === 'RASCUNHO' ? (
        <>
          {mayApprove ? (
            <Button kind="primary" isBusy={activate.isBusy} onPress={() => void activate.run()}>
              Ativar
            </Button>
          ) : (
            <Button kind="primary" isBusy={propose.isBusy} onPress={() => void propose.run()}>
              Propor ativação
            </Button>
          )}
          <Button onPress={() => onEdit('rascunho')}>Editar</Button>
          <Button onPress={copy}>Copiar</Button>
        </>
      ) : (
        <Menu
          label="Editar"
          kind="primary"
          icon="down"
          actions={[
            {
              label: 'Nova versão',
              hint: 'O que mudar vale de hoje em diante.',
              onPress: () => onEdit('versao'),
            },
            {
              label: 'Retificar',
              hint: 'Corrige a versão mostrada, desde quando ela vale.',
              onPress: () => onEdit('retificar'),
            },
            { label: 'Copiar', hint: 'Começa outro produto com o mesmo conteúdo.', onPress: copy },
          ]}
        />
      )}
      {situacao === 'ATIVADO' && !mayApprove && <ProposeDeactivation product={product} />}
      {situacao !== 'DESATIVADO' && (mayApprove || situacao === 'RASCUNHO') && (
        <ConfirmButton
          label="Desativar"
          kind="danger"
          title={`Desativar o produto ${codigo}?`}
          action="Desativar"
          danger
          send={() => api.put(`${PRODUCTS}/desativar/${cpfCnpjRaiz}/${codigo}`)}
          doneText="Produto desativado."
          onDone={onChanged}
        >
          <p>
            <bdi>{product.denominacao}</bdi> fica no catálogo, como desativado, e não recebe mais vínculos.
            Uma nova versão o ativa de novo.
          </p>
        </ConfirmButton>
      )}
    </>
  );
}

/** Asks another person to deactivate a product. */
function ProposeDeactivation(props: Pick<ProductActionsProps, 'product'>) {
  const { cpfCnpjRaiz, codigo, denominacao } = props.product;
  const go = useGo();
  return (
    <ConfirmButton
      label="Propor desativação"
      title={`Propor a desativação do produto ${codigo}?`}
      action="Propor"
      send={() =>
        proposeRecord({ cpfCnpjRaiz, kind: 'produto', operation: 'deactivate', codigo: String(codigo) })
      }
      onDone={({ id }) => go(addressOfProposal(cpfCnpjRaiz, id))}
    >
      <p>
        <bdi>{denominacao}</bdi> continua ativado até que outra pessoa, com o papel de aprovação, decida.
      </p>
    </ConfirmButton>
  );
}

/** Returns true when the form can show the problem. A duplicate product has no field. */
const hasFormField = ({ status, problems }: ApiError): boolean =>
  (status === 400 || status === 422) && problems.every(({ about }) => about?.twin === undefined);
