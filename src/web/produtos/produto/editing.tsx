/** Product form, shown in place of the content that it edits. */
import { toast } from '../../ui/toast.tsx';
import { ProductForm } from '../form/product-form.tsx';

/** Mode of the form; `editar` in the address. */
export type Editing = 'versao' | 'retificar' | 'rascunho';

const TOASTS = {
  versao: 'Nova versão gravada.',
  retificar: 'Retificação gravada.',
  rascunho: 'Produto ativado.',
} as const;

export const isMode = (editar: string): editar is Editing => Object.hasOwn(TOASTS, editar);

export interface EditedProductProps {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  readonly mode: Editing;
  /** Version to start from; '' is the one in force. */
  readonly versao: string;
  readonly showProblems: boolean;
  readonly onEnd: (saved: boolean) => void;
}

export const EditedProduct = (props: EditedProductProps) => {
  const { cpfCnpjRaiz, codigo, mode, versao, showProblems, onEnd } = props;
  return (
    <ProductForm
      key={`${mode} ${versao}`}
      cpfCnpjRaiz={cpfCnpjRaiz}
      codigo={codigo}
      mode={mode}
      showProblems={showProblems}
      {...(versao !== '' && { versao })}
      onSaved={({ situacao }) => {
        toast(situacao === 'RASCUNHO' ? 'Rascunho salvo.' : TOASTS[mode]);
        onEnd(true);
      }}
      onCancel={() => onEnd(false)}
    />
  );
};
