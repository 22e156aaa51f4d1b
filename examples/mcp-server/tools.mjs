// The tools of the server, and the requirements of each tool.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** @typedef {import('@keywright/sdk').AccessTokenClaims} Claims */
/** @typedef {import('@keywright/sdk').Requirement} Requirement */

/**
 * @typedef {object} Tool
 * @property {string} description
 * @property {Requirement} requirement in addition to a valid token
 * @property {Record<string, z.ZodType>} input
 * @property {(claims: Claims, input: Record<string, unknown>) => string} run
 */

/**
 * The notes of each user.
 * @type {Map<string, string[]>}
 */
const notes = new Map();

/** @param {Claims} claims */
const notesOf = ({ sub }) => notes.get(sub) ?? [];

/** @type {ReadonlyMap<string, Tool>} */
const TOOLS = new Map([
  [
    'whoami',
    {
      description: 'Shows who you are and which application you use.',
      requirement: { scopes: 'mcp:read' },
      input: {},
      run: ({ sub, client_id: client }) => `${sub} with ${client}`,
    },
  ],
  [
    'list_notes',
    {
      description: 'Lists all your notes.',
      requirement: { scopes: 'mcp:read' },
      input: {},
      run: (claims) => notesOf(claims).join('\n'),
    },
  ],
  [
    'add_note',
    {
      description: 'Adds a note.',
      requirement: { scopes: 'mcp:write' },
      input: { text: z.string().max(1000) },
      run: (claims, { text }) => {
        notes.set(claims.sub, [...notesOf(claims), String(text)].slice(-100));
        return 'Noted.';
      },
    },
  ],
  [
    'delete_notes',
    {
      description: 'Deletes all your notes.',
      // The user must have proven a second factor within the last five minutes.
      requirement: { scopes: 'mcp:write', acr: 'aal2', maxAge: 300 },
      input: {},
      run: (claims) => {
        notes.delete(claims.sub);
        return 'Deleted.';
      },
    },
  ],
]);

/**
 * Returns what the tool calls in a request body require.
 * @param {unknown} body a message of JSON-RPC, or several
 * @returns {Requirement[]}
 */
export function requirementsOf(body) {
  const messages = /** @type {({ method?: unknown, params?: { name?: unknown } } | null)[]} */ (
    Array.isArray(body) ? body : [body]
  );
  const called = messages.filter((message) => message?.method === 'tools/call');
  const tools = called.map((message) => TOOLS.get(String(message?.params?.name)));
  return tools.flatMap((tool) => (tool ? [tool.requirement] : []));
}

/**
 * A server for one request.
 * @param {Claims} claims
 */
export function createNoteServer(claims) {
  const server = new McpServer({ name: 'notes', version: '0.1.0' });
  for (const [name, { description, input: inputSchema, run }] of TOOLS) {
    server.registerTool(name, { description, inputSchema }, (input) => ({
      content: [{ type: 'text', text: run(claims, input) }],
    }));
  }
  return server;
}
