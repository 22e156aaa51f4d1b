/** As sent: `resource` can occur several times. */
export function parametersOf(sent: object): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(sent)) {
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  return parameters;
}
