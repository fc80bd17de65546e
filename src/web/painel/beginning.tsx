import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { addressFor } from '../api/use-company.ts';
import { Card } from '../ui/page.tsx';

/** Explains the first steps in an empty catalogue. */
export const Beginning = ({ company }: { readonly company: string }): JSX.Element => (
  <Card title="Comece por aqui">
    <p>O catálogo desta empresa ainda está vazio. Há três jeitos de começar:</p>
    <ol class="panel-beginning">
      <li>
        <strong>Importar um arquivo</strong>
        <p class="muted">
          O arquivo que o Portal Único exporta, em JSON ou zip, ou a planilha do seu ERP. Dá para conferir
          antes, sem gravar nada.
        </p>
        <Link class="button primary" href={addressFor('/importar', company)}>
          Enviar um arquivo
        </Link>
      </li>
      <li>
        <strong>Preencher um modelo</strong>
        <p class="muted">Uma planilha com as colunas certas, para produtos, operadores ou vínculos.</p>
        <Link class="button quiet" href={addressFor('/importar', company)}>
          Ver modelos
        </Link>
      </li>
      <li>
        <strong>Cadastrar um produto</strong>
        <p class="muted">O formulário mostra os atributos que a NCM pede, e guarda rascunhos.</p>
        <Link class="button quiet" href={addressFor('/produtos/novo', company)}>
          Novo produto
        </Link>
      </li>
    </ol>
  </Card>
);
