/** Content of a version of the product. */
import type { JSX } from 'preact';
import type { Deadline, Product } from '../../api/answers.ts';
import { DeadlineNote } from '../../deadline/note.tsx';
import { PRODUCT, type WrittenName } from '../../../catalogue/members/product.ts';
import { Ncm, NcmDescription } from '../../ui/ncm.tsx';
import { memberText, WRITTEN } from '../product.ts';
import { type AttributeNames, type Reading, readingsOf } from './reading.ts';

export function ProductContentView(props: {
  readonly product: Product;
  readonly names: AttributeNames;
  /** Future requirements for the product. */
  readonly deadlines: readonly Deadline[];
}) {
  const { product, names, deadlines } = props;
  const readings = readingsOf(product, names);
  const note = (deadline: Deadline) => (
    <DeadlineNote
      key={`${deadline.codigo} ${deadline.on}`}
      company={product.cpfCnpjRaiz}
      deadline={deadline}
    />
  );
  return (
    <dl class="product-content">
      {WRITTEN.map((name) => (
        <Line key={name} name={PRODUCT[name].heading}>
          <MemberValue name={name} value={product[name]} />
        </Line>
      ))}
      {readings.map((reading) => (
        <Line key={reading.codigo} name={reading.name} code={reading.codigo}>
          <>
            <AttributeText reading={reading} />
            {deadlines.filter(({ codigo }) => codigo === reading.codigo).map(note)}
          </>
        </Line>
      ))}
      {deadlines
        .filter(
          ({ codigo, missing }) => missing > 0 && !readings.some((reading) => reading.codigo === codigo),
        )
        .map((deadline) => (
          <Line
            key={`${deadline.codigo} ${deadline.on}`}
            name={deadline.nome ?? ''}
            code={deadline.codigo ?? ''}
          >
            <>
              {NONE}
              {note(deadline)}
            </>
          </Line>
        ))}
    </dl>
  );
}

function MemberValue(props: {
  readonly name: WrittenName;
  readonly value: string | readonly string[] | null;
}) {
  const { name, value } = props;
  if (value === null || value.length === 0) return NONE;
  const code = PRODUCT[name].kind === 'text' || PRODUCT[name].kind === 'choice' ? '' : 'product-code';
  if (name === 'ncm' && typeof value === 'string')
    return (
      <>
        <span class={code}>
          <Ncm code={value} />
        </span>{' '}
        <NcmDescription code={value} />
      </>
    );
  if (typeof value === 'string')
    return (
      <span class={code}>
        <bdi>{memberText(name, value)}</bdi>
      </span>
    );
  return (
    <ul class="product-codes">
      {value.map((text) => (
        <li key={text} class={code}>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
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
}) => (
  <div>
    <dt>
      {name}
      {code !== undefined && code !== name && <span class="product-attribute"> {code}</span>}
    </dt>
    <dd>{children}</dd>
  </div>
);

function AttributeText({ reading: { values, groups } }: { readonly reading: Reading }) {
  if (groups.length > 0)
    return (
      <ol class={`product-groups${groups.length === 1 ? ' single' : ''}`}>
        {groups.map((group, index) => (
          <li key={index}>
            <dl class="product-content">
              {group.map((part) => (
                <Line key={part.codigo} name={part.name} code={part.codigo}>
                  <AttributeText reading={part} />
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
