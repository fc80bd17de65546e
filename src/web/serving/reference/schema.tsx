/** The members of a schema as a tree that folds. */
import type { JSX } from 'preact';
import { type Schema, alternativesOf } from './document.ts';
import { Line } from '../../docs/prose.tsx';

/** Deeper levels are collapsed. */
const OPEN_LEVELS = 2;

interface TreeProps {
  readonly schema: Schema;
  /** A request must have its required members; a response always has all of them. */
  readonly isAnswer: boolean;
  /** The forms around this one, the outermost first. */
  readonly ancestors?: readonly Schema[];
}

/** Shows the members of a schema, or of the items of a list. A form inside itself is only named. */
export function SchemaTree({ schema, isAnswer, ancestors = [] }: TreeProps) {
  const form = formOf(schema);
  if (form === undefined) return ancestors.length === 0 ? <Leaf schema={schema} /> : null;
  const members = <Members isAnswer={isAnswer} ancestors={ancestors} form={form} />;
  if (ancestors.length > 0 || schema.items === undefined) return members;
  return (
    <>
      <TypeName schema={schema} />
      <Constraints schema={form} />
      {members}
    </>
  );
}

interface MembersProps {
  readonly form: Schema;
  readonly isAnswer: boolean;
  readonly ancestors: readonly Schema[];
}

function Members({ form, isAnswer, ancestors }: MembersProps) {
  const required = form.required ?? [];
  if (ancestors.includes(form))
    return (
      <p class="muted">
        como <span class="type">{form.title}</span>, em que está
      </p>
    );
  return (
    <ul class="members">
      {Object.entries(form.properties ?? {}).map(([name, member]) => (
        <li key={name}>
          <div class="member-head">
            <code>{name}</code>
            <TypeName schema={member} />
            {!isAnswer && required.includes(name) && <span class="required">obrigatório</span>}
          </div>
          <Constraints schema={member} />
          {formOf(member) !== undefined && (
            <Inner isOpen={ancestors.length + 1 < OPEN_LEVELS}>
              <SchemaTree schema={member} isAnswer={isAnswer} ancestors={[...ancestors, form]} />
            </Inner>
          )}
        </li>
      ))}
    </ul>
  );
}

const Inner = ({ isOpen, children }: { readonly isOpen: boolean; readonly children: JSX.Element }) => (
  <details class="inner" open={isOpen}>
    <summary>membros</summary>
    {children}
  </details>
);

const Leaf = ({ schema }: { readonly schema: Schema }) => (
  <div>
    <TypeName schema={schema} />
    <Constraints schema={schema} />
  </div>
);

/** Returns the object schema in a schema: itself, its list items, or its alternative that is not null. */
function formOf(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return formOf(schema.items);
  return alternativesOf(schema)
    .map(formOf)
    .find((form) => form !== undefined);
}

export const TypeName = ({ schema }: { readonly schema: Schema }) => (
  <span class="type">{typeOf(schema)}</span>
);

const TYPES: Readonly<Record<string, string>> = {
  string: 'texto',
  integer: 'inteiro',
  number: 'número',
  boolean: 'booleano',
  object: 'objeto',
  array: 'lista',
  null: 'null',
};

function typeOf(schema: Schema): string {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((alternative) => typeOf(alternative)))].join(' ou ');
  if (schema.items !== undefined) {
    const orNull = [schema.type].flat().includes('null') ? ' ou null' : '';
    return `lista de ${typeOf(schema.items)}${orNull}`;
  }
  const name = schema.title;
  if (name !== undefined && schema.properties !== undefined) return name;
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  if (schema.not !== undefined) return `qualquer, menos ${schema.not.type}`;
  if (types.length === 0) return schema.enum === undefined ? 'qualquer' : 'texto';
  return types.map((type) => TYPES[type] ?? type).join(' ou ');
}

/** Describes the constraints of a value. */
export function Constraints(props: { readonly schema: Schema; readonly withDescription?: boolean }) {
  const { schema, withDescription = true } = props;
  const rules = rulesOf(schema);
  return (
    <>
      {withDescription && schema.description !== undefined && (
        <p>
          <Line text={schema.description} />
        </p>
      )}
      {rules.length > 0 && (
        <p class="rules">
          {rules.map(([name, value]) => (
            <span key={name}>
              {name} <code>{value}</code>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

type Rule = readonly [name: string, value: string];

function rulesOf(schema: Schema): readonly Rule[] {
  const rules: Rule[] = [];
  const add = (name: string, value: unknown): void => {
    if (value !== undefined) rules.push([name, typeof value === 'string' ? value : JSON.stringify(value)]);
  };
  add('um de', schema.enum?.map((value) => JSON.stringify(value)).join(', '));
  add('formato', schema.format);
  const domain = schema['x-domain'];
  if (domain === undefined) add('forma', schema.pattern);
  else add('aceita', domain);
  add('tamanho', between(schema.minLength, schema.maxLength));
  add('valor', between(schema.minimum, schema.maximum));
  add('itens', between(schema.minItems, schema.maxItems));
  add('padrão', schema.default);
  const { items } = schema;
  if (items !== undefined && formOf(items) === undefined)
    for (const [name, value] of rulesOf(items)) rules.push([`cada um: ${name}`, value]);
  // The first alternative with rules counts: the others are null, or the same value in another type.
  const alternatives = alternativesOf(schema).map((alternative) => rulesOf(alternative));
  return [...rules, ...(alternatives.find(({ length }) => length > 0) ?? [])];
}

function between(min: number | undefined, max: number | undefined): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  return `${min ?? ''}..${max ?? ''}`;
}
