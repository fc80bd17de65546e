/** Product form for a new product, copy, draft, version or rectification. It renders inside a page. */
import type { JSX } from 'preact';
import type { Product, ProductForm } from '../../api/answers.ts';
import { useRight } from '../../api/session.ts';
import { useGo } from '../../api/use-go.ts';
import { addressOfProposal } from '../../aprovar/propose-record.ts';
import { toast } from '../../ui/toast.tsx';
import { useResource } from '../../api/use-resource.ts';
import { Notice } from '../../ui/alert.tsx';
import { ResourceView } from '../../ui/page.tsx';
import { numberText } from '../../words.ts';
import { FormBody } from './form-body.tsx';
import { EMPTY, type FormMode, type Saved, valuesFrom } from './form-values.ts';

export interface ProductFormProps {
  readonly cpfCnpjRaiz: string;
  readonly mode: FormMode;
  /** Code of the edited or copied product. */
  readonly codigo?: number | string;
  /** Version to start from; defaults to the current one. */
  readonly versao?: string;
  /** True to show all problems at their fields immediately. */
  readonly showProblems?: boolean;
  readonly onSaved: (saved: Saved) => void;
  readonly onCancel: () => void;
}

export function ProductForm(props: ProductFormProps): JSX.Element {
  const { cpfCnpjRaiz, mode, codigo, versao } = props;
  const go = useGo();
  const isOfDraft = mode !== 'versao' && mode !== 'retificar';
  const mayWrite = useRight('preenchimento', cpfCnpjRaiz);
  const onProposed = (id: number): void => {
    toast(`Proposta ${id} enviada; quem pode aprovar a vê em Aprovar.`);
    go(addressOfProposal(cpfCnpjRaiz, id));
  };
  const rules = useResource<ProductForm>(mayWrite ? '/appliance/api/product-form' : undefined);
  const product = useProduct(mayWrite ? cpfCnpjRaiz : '', codigo, versao);
  if (!mayWrite)
    return (
      <Notice tone="warn">
        <p>
          O seu usuário não {isOfDraft ? 'inclui' : 'altera'} produtos no catálogo da empresa{' '}
          <code>{numberText(cpfCnpjRaiz)}</code>: isso faz quem a representa no perfil IMPEXP com o papel de
          preenchimento ou de aprovação.
        </p>
      </Notice>
    );
  return (
    <ResourceView resource={rules}>
      {(rulesAnswer) =>
        codigo === undefined ? (
          <FormBody
            {...props}
            onProposed={onProposed}
            subject={{ cpfCnpjRaiz, mode }}
            rules={rulesAnswer}
            initial={EMPTY}
            from={undefined}
          />
        ) : (
          <ResourceView resource={product}>
            {(answer) => {
              const from = Array.isArray(answer) ? answer[0] : answer;
              return from === undefined ? (
                <Notice tone="warn">
                  <p>
                    O produto <code>{codigo}</code> não existe na empresa{' '}
                    <code>{numberText(cpfCnpjRaiz)}</code>.
                  </p>
                </Notice>
              ) : (
                <LoadedProductForm {...props} onProposed={onProposed} from={from} rules={rulesAnswer} />
              );
            }}
          </ResourceView>
        )
      }
    </ResourceView>
  );
}

function LoadedProductForm({
  from,
  ...props
}: ProductFormProps & {
  readonly from: Product;
  readonly rules: ProductForm;
  readonly onProposed: (id: number) => void;
}): JSX.Element {
  const mode = modeFor(props.mode, from);
  const { codigo, versao } = from;
  const subject = { cpfCnpjRaiz: props.cpfCnpjRaiz, mode, ...(mode !== 'copia' && { codigo, versao }) };
  return <FormBody {...props} subject={subject} initial={valuesFrom(from, mode)} from={from} />;
}

/**
 * Returns the mode for a product. A copy stays a copy, a draft is edited as a draft, and a product that is no
 * longer a draft gets a version.
 */
function modeFor(requestedMode: FormMode, { situacao }: Product): FormMode {
  if (requestedMode === 'copia') return requestedMode;
  if (situacao === 'RASCUNHO') return 'rascunho';
  return requestedMode === 'rascunho' ? 'versao' : requestedMode;
}

/** Fetches that version, or the current one from the list. */
function useProduct(cpfCnpjRaiz: string, codigo: number | string | undefined, versao: string | undefined) {
  const isRequested = cpfCnpjRaiz !== '' && codigo !== undefined;
  const path = versao === undefined ? '' : `/${cpfCnpjRaiz}/${codigo}/${versao}`;
  return useResource<Product | readonly Product[] | undefined>(
    isRequested ? `/catp/api/ext/produto${path}` : undefined,
    versao === undefined ? { query: { cpfCnpjRaiz, codigo } } : {},
  );
}
