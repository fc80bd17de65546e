/** Lists every code of a problem with its cause and remedy. */
import type { JSX } from 'preact';
import type { ProblemList } from './openapi.ts';
import { Line } from './prose.tsx';

export const ProblemCodes = ({ lists }: { readonly lists: readonly ProblemList[] }): JSX.Element => (
  <section class="group" id="codigos" aria-label="Códigos de problemas">
    <h2>Códigos de problemas</h2>
    {lists.map(({ title, codes }) => (
      <div key={title} class="codes">
        <h3>{title}</h3>
        <dl>
          {codes.map(({ code, meaning, remedy }) => (
            <div key={code + meaning}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>
                <p>
                  <Line text={meaning} />
                </p>
                <p class="muted">
                  <Line text={remedy} />
                </p>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    ))}
  </section>
);
