/** The form, in the place of what it changes. */
import type { JSX } from 'preact';
import { toast } from '../../ui/toast.tsx';
import { ProductForm } from '../form/product-form.tsx';

/** What the form begins as; in the address it is `editar`. */
export type Editing = 'versao' | 'retificar' | 'rascunho';

const SAID = {
  versao: 'Nova versão gravada.',
  retificar: 'Retificação gravada.',
  rascunho: 'Produto ativado.',
} as const;

export const isMode = (editar: string): editar is Editing => Object.hasOwn(SAID, editar);

export interface EditedProductProps {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  readonly mode: Editing;
  /** The version that it begins from; '' is the one in force. */
  readonly versao: string;
  readonly showProblems: boolean;
  readonly onEnd: (saved: boolean) => void;
}

export const EditedProduct = (props: EditedProductProps): JSX.Element => {
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
        toast(situacao === 'RASCUNHO' ? 'Rascunho salvo.' : SAID[mode]);
        onEnd(true);
      }}
      onCancel={() => onEnd(false)}
    />
  );
};
