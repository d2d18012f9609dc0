/** Where the other crew pages are, for links out of the workbench. Pure. */

const segment = encodeURIComponent;

export const DASHBOARD = "/crew";
export const PROFILE = "/crew/profile";

export const projectPage = (project: string): string => `/crew/${segment(project)}`;
export const workflowEditor = (project: string, workflow: number): string =>
  `${projectPage(project)}/workflows/${workflow}`;
/** What a version changed, beside the one before it. */
export const savedVersion = (project: string, revision: number): string =>
  `${projectPage(project)}/compare/${revision - 1}/${revision}`;
export const agentPage = (project: string, agent: string): string =>
  `${projectPage(project)}/agents/${segment(agent)}`;
