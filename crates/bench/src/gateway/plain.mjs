// A Worker that passes each request on and does nothing else: what any gateway on workerd costs at least.
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const headers = { "content-type": "application/json" };
    return fetch(`${env.UPSTREAM_BASE_URL}${pathname.slice(3)}`, {
      method: request.method,
      headers,
      body: request.body,
    });
  },
};
