/** `/fidelidade`: the gaps of the specification, and how each was filled. */
import { renderToString } from 'preact-render-to-string';
import type { HelpPage } from '../../docs/help.ts';
import type { FidelityEntry } from '../api/answers.ts';
import { Line } from '../docs/prose.tsx';
import { withCount, finder } from '../words.ts';

const CERTAINTIES: readonly (readonly [value: string, label: string, tone: string])[] = [
  ['specification', 'especificação', 'good'],
  ['public interface', 'interface pública', 'calm'],
  ['ours', 'decisão nossa', 'warn'],
];

/** Returns the page with the entries that contain the words and, unless it is '', have the certainty. */
export const ledgerPage = (
  entries: readonly FidelityEntry[],
  search: string,
  certainty: string,
): HelpPage => ({
  title: 'Fidelidade',
  main: renderToString(<Ledger entries={entries} search={search} certainty={certainty} />),
  contents: renderToString(
    <ul>
      <li>
        <a href="/docs">Referência da API</a>
      </li>
      <li>
        <a href="/ajuda">Ajuda</a>
      </li>
    </ul>,
  ),
});

interface LedgerProps {
  readonly entries: readonly FidelityEntry[];
  readonly search: string;
  readonly certainty: string;
}

function Ledger({ entries, search, certainty }: LedgerProps) {
  const matches = finder(search);
  const listed = entries.filter(
    ({ topic, section, behaviour, reason, setting, certainty: own }) =>
      (certainty === '' || own === certainty) &&
      matches([topic, section, behaviour, reason, setting ?? '', own].join(' ')),
  );
  return (
    <div class="ledger">
      <h1>Fidelidade</h1>
      <p>O que a especificação não diz, o que este produto faz em cada caso, por quê, e quão certo isso é.</p>
      <form class="filters" role="search" action="/fidelidade">
        <div class="field">
          <label for="busca">Procurar</label>
          <input id="busca" type="search" name="busca" value={search} />
        </div>
        <div class="field">
          <label for="certeza">Certeza</label>
          <select id="certeza" name="certeza">
            <option value="">Qualquer uma</option>
            {CERTAINTIES.map(([value, label]) => (
              <option key={value} value={value} selected={value === certainty}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button class="button primary">Filtrar</button>
      </form>
      {listed.length === 0 ? (
        <p>Nenhuma decisão contém essas palavras.</p>
      ) : (
        <p class="muted" role="status">
          {withCount(listed.length, 'decisão', 'decisões')}
        </p>
      )}
      {listed.map((entry) => (
        <Entry key={`${entry.section} ${entry.topic}`} entry={entry} />
      ))}
    </div>
  );
}

function Entry({ entry }: { readonly entry: FidelityEntry }) {
  const { topic, section, behaviour, reason, certainty, setting } = entry;
  const [, label = certainty, tone = 'calm'] = CERTAINTIES.find(([value]) => value === certainty) ?? [];
  return (
    <section class="card">
      <div class="ledger-head">
        <h2>{topic}</h2>
        <span class={`badge ${tone}`}>{label}</span>
      </div>
      <p>{behaviour}</p>
      <dl class="ledger-facts">
        <dt>Por quê</dt>
        <dd>{reason}</dd>
        <dt>Onde</dt>
        <dd>
          <Line text={section} />
        </dd>
        {setting !== null && (
          <>
            <dt>Muda com</dt>
            <dd>
              <code>{setting}</code>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
