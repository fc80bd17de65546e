import { createContext } from 'preact';
import type { Document } from './openapi.ts';

/** The document of the page, for components that need more than their operation. */
export const Shown = createContext<Document>({ info: { title: '', version: '' }, paths: {} });
