/** Shows an attribute: name, form of its values, domain; then its dependent attributes, indented. */
import { useId, useState } from 'preact/hooks';
import type { AttributeDetail } from '../api/answers.ts';
import type { DomainItem } from '../../catalogue/attribute/words/model.ts';
import { Badge } from '../ui/badge.tsx';
import { Input } from '../ui/field.tsx';
import { countText, withCount, finder } from '../words.ts';
import { conditionInWords, domainOf, formInWords, isOfProducts, nameOf } from './describe.ts';

export interface AttributeViewProps {
  readonly detail: AttributeDetail;
  readonly isRequired: boolean;
  readonly isMulti: boolean;
  /** The condition or the modalities. */
  readonly where: string;
}

export function AttributeView({ detail, isRequired, isMulti, where }: AttributeViewProps) {
  const { codigo, definicao, orientacaoPreenchimento, condicionados, listaSubatributos } = detail;
  return (
    <div class="attributes-one">
      <p class="attributes-head">
        <strong>
          <bdi>{nameOf(detail)}</bdi>
        </strong>{' '}
        <code>{codigo}</code>{' '}
        {isRequired ? <Badge tone="warn">Obrigatório</Badge> : <Badge tone="muted">Opcional</Badge>}
        {!isOfProducts(detail) && <Badge tone="muted">Fora do catálogo</Badge>}
      </p>
      {where !== '' && <p class="attributes-where">{where}</p>}
      <p>{formInWords(detail, isMulti)}</p>
      {[definicao, orientacaoPreenchimento].map((text, index) =>
        text == null || text === '' ? null : (
          <p key={index} class="muted">
            <bdi>{text}</bdi>
          </p>
        ),
      )}
      <Domain items={domainOf(detail)} />
      {(listaSubatributos ?? []).length > 0 && (
        <ul class="plain attributes-nested">
          {listaSubatributos?.map((part) => (
            <li key={part.codigo}>
              <AttributeView
                detail={part}
                isRequired={part.obrigatorio === true}
                isMulti={false}
                where="Parte do grupo"
              />
            </li>
          ))}
        </ul>
      )}
      {(condicionados ?? []).length > 0 && (
        <ul class="plain attributes-nested">
          {condicionados?.map(({ condicao, atributo, obrigatorio, multivalorado }, index) => (
            <li key={index}>
              <AttributeView
                detail={atributo}
                isRequired={obrigatorio === true}
                isMulti={multivalorado === true}
                where={conditionInWords(condicao, detail)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const FEW = 6;
const ROWS_MAX = 100;

/** Shows the domain. Few values are listed; many are searched. */
function Domain({ items }: { readonly items: readonly DomainItem[] }) {
  const [typedText, setTypedText] = useState('');
  const id = useId();
  if (items.length === 0) return null;
  if (items.length <= FEW) return <Values items={items} />;
  const has = finder(typedText);
  const matches = items.filter(({ codigo, descricao }) => has(`${codigo} ${descricao}`));
  return (
    <details>
      <summary id={id}>{withCount(items.length, 'valor', 'valores')}</summary>
      <Input label="Procurar na lista" type="search" value={typedText} onChange={setTypedText} />
      <Values items={matches.slice(0, ROWS_MAX)} />
      {matches.length > ROWS_MAX && (
        <p class="muted">e mais {countText(matches.length - ROWS_MAX)}: procure acima</p>
      )}
      {matches.length === 0 && <p class="muted">Nenhum valor com essas palavras.</p>}
    </details>
  );
}

const Values = ({ items }: { readonly items: readonly DomainItem[] }) => (
  <ul class="plain attributes-domain">
    {items.map(({ codigo, descricao }) => (
      <li key={codigo}>
        <code>{codigo}</code> <bdi>{descricao}</bdi>
      </li>
    ))}
  </ul>
);
