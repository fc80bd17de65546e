import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Schema, alternativesOf } from './openapi.ts';
import { Line } from './prose.tsx';

/** Deeper levels are collapsed initially. */
const OPEN_LEVELS = 2;

interface TreeParts {
  readonly schema: Schema;
  /** A request must have its required members; a response always has all of them. */
  readonly isAnswer: boolean;
  readonly level?: number;
}

/** Shows the members of a schema, expanded. Each alternative form stands under its name. */
export function SchemaTree({ schema, isAnswer, level = 0 }: TreeParts): JSX.Element | null {
  const forms = formsOf(schema);
  const [only] = forms;
  if (only === undefined) return level === 0 ? <Leaf schema={schema} /> : null;
  const parts = { isAnswer, level };
  if (forms.length === 1) return <Members {...parts} form={only} />;
  return (
    <ul class="members">
      {forms.map((form) => (
        <li key={form.title}>
          <div class="member-head">
            <span class="type">{form.title}</span>
          </div>
          <Constraints schema={form} />
          <Inner isOpen={level < OPEN_LEVELS}>
            {() => <Members {...parts} form={form} level={level + 1} />}
          </Inner>
        </li>
      ))}
    </ul>
  );
}

interface FormParts {
  readonly isAnswer: boolean;
  readonly level: number;
}

function Members({ form, ...parts }: FormParts & { readonly form: Schema }): JSX.Element {
  const required = form.required ?? [];
  return (
    <ul class="members">
      {Object.entries(form.properties ?? {}).map(([name, member]) => (
        <Member
          key={name}
          {...parts}
          name={name}
          schema={member}
          required={!parts.isAnswer && required.includes(name)}
        />
      ))}
    </ul>
  );
}

function Member({
  name,
  schema,
  required,
  isAnswer,
  level,
}: Required<TreeParts> & { readonly name: string; readonly required: boolean }): JSX.Element {
  return (
    <li>
      <div class="member-head">
        <code>{name}</code>
        <TypeName schema={schema} />
        {required && <span class="required">obrigatório</span>}
      </div>
      <Constraints schema={schema} />
      {formsOf(schema).length > 0 && (
        <Inner isOpen={level + 1 < OPEN_LEVELS}>
          {() => <SchemaTree schema={schema} isAnswer={isAnswer} level={level + 1} />}
        </Inner>
      )}
    </li>
  );
}

/** Rendered on opening, because a form may contain itself. */
function Inner({
  isOpen,
  children,
}: {
  readonly isOpen: boolean;
  readonly children: () => JSX.Element;
}): JSX.Element {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class="inner" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>membros</summary>
      {open && children()}
    </details>
  );
}

function Leaf({ schema }: { readonly schema: Schema }): JSX.Element {
  return (
    <div>
      <TypeName schema={schema} />
      <Constraints schema={schema} />
    </div>
  );
}

/** Returns the object schemas in a schema: itself, the items of its list, its alternatives. */
function formsOf(schema: Schema): readonly Schema[] {
  if (schema.properties !== undefined) return [schema];
  if (schema.items !== undefined) return formsOf(schema.items);
  return alternativesOf(schema).flatMap((one) => formsOf(one));
}

export function TypeName({ schema }: { readonly schema: Schema }) {
  return <span class="type">{typeOf(schema)}</span>;
}

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
  if (alternatives.length > 0) return [...new Set(alternatives.map((it) => typeOf(it)))].join(' ou ');
  if (schema.items !== undefined) {
    const orNull = [schema.type].flat().includes('null') ? ' ou null' : '';
    return `lista de ${typeOf(schema.items)}${orNull}`;
  }
  const name = schema.title;
  if (name !== undefined && schema.properties !== undefined) return name;
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  if (types.length === 0) return schema.enum === undefined ? 'qualquer' : 'texto';
  return types.map((type) => TYPES[type] ?? type).join(' ou ');
}

/** Describes the constraints of a value. */
export function Constraints({
  schema,
  withDescription = true,
}: {
  readonly schema: Schema;
  readonly withDescription?: boolean;
}): JSX.Element {
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
  if (items !== undefined && formsOf(items).length === 0)
    for (const [name, value] of rulesOf(items)) rules.push([`cada um: ${name}`, value]);
  // The first alternative with rules counts: the others are null, or the same value in another type.
  const alternatives = alternativesOf(schema).map((it) => rulesOf(it));
  return [...rules, ...(alternatives.find(({ length }) => length > 0) ?? [])];
}

function between(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  return `${least ?? ''}..${most ?? ''}`;
}
