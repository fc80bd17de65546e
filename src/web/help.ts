/**
 * Script of `/ajuda`: adds the search field, passes the session to other tabs, and notices when it ends. The
 * help is readable without the script.
 */
import { OtherTabs } from './api/other-tabs.ts';
import { Tokens } from './api/tokens.ts';
import { addHelpField } from './docs/help-field.ts';

const tokens = new Tokens(sessionStorage);
const others = new OtherTabs(tokens);
others.onEnd = (why) => (why === '' ? sessionStorage.clear() : tokens.forget());
if (!tokens.present) others.ask();

const contents = document.querySelector<HTMLElement>('.help aside');
if (contents !== null) addHelpField(contents);
