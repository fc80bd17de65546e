/** The first steps of an instance, for its administrator: table, companies, catalogue, people. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/page.tsx';

/** Shown until the instance has a table in force and a company. */
export function FirstSteps({
  hasTable,
  hasCompany,
}: {
  readonly hasTable: boolean;
  readonly hasCompany: boolean;
}): JSX.Element | null {
  if (hasTable && hasCompany) return null;
  return (
    <Card title="Primeiros passos">
      <ol class="panel-beginning">
        <Step title="Tabela de atributos" isDone={hasTable}>
          O serviço público publica a tabela por NCM; a página tem o endereço e a busca quando você pedir.{' '}
          <Link href="/atributos?aba=tabelas">Buscar a tabela</Link>
        </Step>
        <Step title="Empresas" isDone={hasCompany}>
          Cada empresa tem um catálogo. <Link href="/administracao?aba=contas">Incluir a primeira</Link>
        </Step>
        <Step title="O catálogo que já está no Portal">
          Quem representa a empresa o traz em Importar, pelos arquivos que o Portal exporta; ou ele vem de lá
          por um remoto. <Link href="/remotos">Incluir um remoto</Link>
        </Step>
        <Step title="As outras pessoas">
          Uma pessoa de cada vez, ou uma lista. <Link href="/administracao?aba=contas">Dar acesso</Link>
        </Step>
      </ol>
    </Card>
  );
}

const Step = ({
  title,
  isDone = false,
  children,
}: {
  readonly title: string;
  readonly isDone?: boolean;
  readonly children: JSX.Element | readonly (JSX.Element | string)[] | string;
}): JSX.Element => (
  <li>
    <strong>{title}</strong>{' '}
    {isDone && (
      <Badge tone="good" icon="check">
        Feito
      </Badge>
    )}
    <p class="muted">{children}</p>
  </li>
);
