/** What a version of the product says. */
import type { JSX } from 'preact';
import type { Product } from '../../api/answers.ts';
import { modalidadeText } from '../product.ts';
import { type AttributeNames, type Reading, readingsOf } from './reading.ts';

export function ProductContentView({
  product,
  names,
}: {
  readonly product: Product;
  readonly names: AttributeNames;
}): JSX.Element {
  const { denominacao, descricao, modalidade, ncm, codigosInterno } = product;
  const readings = readingsOf(product, names);
  return (
    <dl class="product-content">
      <Line name="Denominação">
        <bdi>{denominacao}</bdi>
      </Line>
      <Line name="Descrição">{descricao === null || descricao === '' ? NONE : <bdi>{descricao}</bdi>}</Line>
      <Line name="NCM">{ncm === null ? NONE : <span class="product-code">{ncm}</span>}</Line>
      <Line name="Modalidade">{modalidadeText(modalidade)}</Line>
      <Line name="Códigos internos">
        {codigosInterno.length === 0 ? (
          NONE
        ) : (
          <ul class="product-codes">
            {codigosInterno.map((code) => (
              <li key={code} class="product-code">
                <bdi>{code}</bdi>
              </li>
            ))}
          </ul>
        )}
      </Line>
      {readings.map((reading) => (
        <Line key={reading.codigo} name={reading.name} code={reading.codigo}>
          <AttributeText of={reading} />
        </Line>
      ))}
    </dl>
  );
}

const NONE = <span class="muted">–</span>;

const Line = ({
  name,
  code,
  children,
}: {
  readonly name: string;
  readonly code?: string;
  readonly children: JSX.Element | string;
}): JSX.Element => (
  <div>
    <dt>
      {name}
      {code !== undefined && code !== name && <span class="product-attribute"> {code}</span>}
    </dt>
    <dd>{children}</dd>
  </div>
);

function AttributeText({ of: { values, groups } }: { readonly of: Reading }): JSX.Element {
  if (groups.length > 0)
    return (
      <ol class={`product-groups${groups.length === 1 ? ' single' : ''}`}>
        {groups.map((group, at) => (
          <li key={at}>
            <dl class="product-content">
              {group.map((part) => (
                <Line key={part.codigo} name={part.name} code={part.codigo}>
                  <AttributeText of={part} />
                </Line>
              ))}
            </dl>
          </li>
        ))}
      </ol>
    );
  if (values.length === 1) return <bdi>{values[0]}</bdi>;
  return (
    <ul class="plain">
      {values.map((value) => (
        <li key={value}>
          <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
  );
}
