{{/*
A pod that serves: dict "root" $ "part" "engine" "verb" "engine" "settings" .Values.engine,
with "args", "env", "mounts" and "volumes" as lists of what it has beyond the others.
*/}}
{{- define "azulejo.serverPod" -}}
{{- $root := .root -}}
{{- $server := $root.Values.server -}}
{{- $stop := $root.Values.stop -}}
metadata:
  labels:
    {{- include "azulejo.labels" (list $root .part) | nindent 4 }}
  {{- with .settings.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "azulejo.fullname" $root }}
  {{- include "azulejo.podSecurity" $root | nindent 2 }}
  terminationGracePeriodSeconds: {{ $stop.terminationGracePeriodSeconds | default (include "azulejo.stopSeconds" $root) }}
  {{- with include "azulejo.placement" (list $root .part .settings) }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- if eq .part "engine" }}
  topologySpreadConstraints:
    {{- include "azulejo.spread" (list $root .part) | nindent 4 }}
  {{- end }}
  containers:
    - name: azulejo
      {{- include "azulejo.containerSecurity" $root | nindent 6 }}
      args:
        - {{ .verb }}
        - --listen={{ $server.listenHost }}:7700
        # The kubelet probes this port in plaintext; networkPolicy.adminFrom controls who else may connect.
        - --admin-listen={{ $server.listenHost }}:7701
        - --max-calls={{ .settings.maxCalls | int64 }}
        - --call-timeout={{ $server.callTimeoutMs | int64 }}
        - --max-request-bytes={{ $server.maxRequestBytes | int64 }}
        - --drain={{ $stop.drainMs | int64 }}
        - --grace={{ $stop.graceMs | int64 }}
        - --log={{ $server.log }}
        - --log-format={{ $server.logFormat }}
        {{- if $server.workers }}
        - --workers={{ $server.workers | int64 }}
        {{- end }}
        {{- with $server.otlpEndpoint }}
        - --otlp-endpoint={{ . }}
        {{- end }}
        {{- if $server.tls.secretName }}
        - --tls-cert=/etc/azulejo/tls/tls.crt
        - --tls-key=/etc/azulejo/tls/tls.key
        {{- end }}
        {{- range .args }}
        - {{ . }}
        {{- end }}
      {{- with .env }}
      env:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - name: grpc
          containerPort: 7700
        - name: admin
          containerPort: 7701
      startupProbe:
        grpc: { port: 7701, service: live }
        periodSeconds: 2
        failureThreshold: 60
      readinessProbe:
        grpc: { port: 7701, service: ready }
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 1
      # Liveness depends neither on the database nor on a stop in progress.
      livenessProbe:
        grpc: { port: 7701, service: live }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      lifecycle:
        preStop:
          sleep:
            seconds: {{ $stop.preStopSeconds }}
      resources:
        {{- toYaml .settings.resources | nindent 8 }}
      {{- if or .mounts $server.tls.secretName }}
      volumeMounts:
        {{- with .mounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- if $server.tls.secretName }}
        - name: tls
          mountPath: /etc/azulejo/tls
          readOnly: true
        {{- end }}
      {{- end }}
  {{- if or .volumes $server.tls.secretName }}
  volumes:
    {{- with .volumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- if $server.tls.secretName }}
    - name: tls
      secret:
        secretName: {{ $server.tls.secretName }}
        defaultMode: 0440
    {{- end }}
  {{- end }}
{{- end -}}
