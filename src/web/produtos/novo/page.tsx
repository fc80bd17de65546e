/** `/produtos/novo`: a new product, or a copy (`?copiar=CODIGO` or `RAIZ/CODIGO/VERSAO`). */
import { addressFor, useCompany } from '../../api/use-company.ts';
import { useFilters } from '../../api/use-filters.ts';
import { useGo } from '../../api/use-go.ts';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Saved } from '../form/form-values.ts';
import { ProductForm } from '../form/product-form.tsx';

export default function NewProductPage() {
  const company = useCompany();
  const [{ copiar }] = useFilters(['copiar']);
  const { cpfCnpjRaiz = company, codigo, versao } = copiedFrom(copiar);
  const go = useGo();
  const saved = ({ codigo: savedCode, situacao }: Saved): void => {
    toast(situacao === 'RASCUNHO' ? `Rascunho ${savedCode} salvo.` : `Produto ${savedCode} salvo e ativado.`);
    go(`/produtos/${cpfCnpjRaiz}/${savedCode}`);
  };
  const back = addressFor('/produtos', cpfCnpjRaiz);
  return (
    <Page title="Novo produto" {...(codigo !== undefined && { about: `Cópia do produto ${codigo}.` })}>
      <ProductForm
        key={`${cpfCnpjRaiz} ${copiar}`}
        cpfCnpjRaiz={cpfCnpjRaiz}
        mode={codigo === undefined ? 'novo' : 'copia'}
        {...(codigo !== undefined && { codigo })}
        {...(versao !== undefined && { versao })}
        onSaved={saved}
        onCancel={() => go(codigo === undefined ? back : `/produtos/${cpfCnpjRaiz}/${codigo}`)}
      />
    </Page>
  );
}

interface Copied {
  readonly cpfCnpjRaiz?: string;
  readonly codigo?: string;
  readonly versao?: string;
}

function copiedFrom(text: string): Copied {
  const parts = text.split('/').filter((part) => part !== '');
  const [first = '', second, third] = parts;
  if (third !== undefined) return { cpfCnpjRaiz: first, codigo: second ?? '', versao: third };
  if (second !== undefined) return { codigo: first, versao: second };
  return first === '' ? {} : { codigo: first };
}
